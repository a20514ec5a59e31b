import { dirname, join, resolve } from "node:path";
import ts from "typescript";

const repository = resolve(__dirname, "../..");

function options(config: string): ts.CompilerOptions {
  const read = ts.readConfigFile(join(repository, config), (path) => ts.sys.readFile(path));
  return ts.parseJsonConfigFileContent(read.config, ts.sys, repository).options;
}

test("declares exactly the types that the provider accepts", () => {
  const program = ts.createProgram([join(__dirname, "agreement.ts")], options("tsconfig.json"));
  const diagnostics = ts.getPreEmitDiagnostics(program);
  expect(
    diagnostics.map(({ messageText, start }) => [start, ts.flattenDiagnosticMessageText(messageText, "\n")]),
  ).toEqual([]);
});

test("imports only @pulumi/pulumi in the published declarations", () => {
  const declared = new Map<string, string>();
  const settings = { ...options("tsconfig.build.json"), emitDeclarationOnly: true, outDir: "/out" };
  const program = ts.createProgram([join(repository, "sdk/index.ts")], settings);
  program.emit(undefined, (path, text) => declared.set(path, text));

  const foreign = new Set<string>();
  const seen = new Set<string>();
  const follow = (module: string): void => {
    const path = [`${module}.d.ts`, `${module}/index.d.ts`].find((file) => declared.has(file));
    if (path === undefined) throw new Error(`no declarations for ${module}`);
    if (seen.has(path)) return;
    seen.add(path);
    for (const { fileName } of ts.preProcessFile(declared.get(path)!).importedFiles) {
      if (fileName.startsWith(".")) follow(join(dirname(path), fileName));
      else foreign.add(fileName);
    }
  };
  follow("/out/sdk");
  expect([...foreign]).toEqual(["@pulumi/pulumi"]);
  expect(seen.size).toBeGreaterThan(3);
});
