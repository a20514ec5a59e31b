import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../../tools/build/ensure-built";
import type { BuildTarget } from "../../../tools/build/targets";
import { Progress } from "../../../tools/progress";
import { temporaryFolder, writeFile } from "../temporary-folder";

const targets: BuildTarget[] = [
  { name: "thing", config: "tsconfig.json", output: "dist", sources: ["source"] },
];

function repository() {
  const root = temporaryFolder({
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        rootDir: "source",
        types: [],
        strict: true,
        skipLibCheck: true,
        lib: ["es5"],
        target: "es2023",
        module: "node20",
      },
      include: ["source"],
    }),
    "source/one.ts": "export const one: number = 1;\n",
    "source/two.ts": "export const two: number = 2;\n",
  });
  const said: string[] = [];
  const progress = new Progress({ write: (text) => said.push(text) });
  return { root, said, output: join(root, "dist"), options: { root, targets, progress } };
}

test("compiles once, and again after a source has changed", async () => {
  const { root, said, output, options } = repository();

  await ensureBuilt(options);
  expect(readFileSync(join(output, "one.js"), "utf8")).toContain("exports.one = 1");
  const { ino } = statSync(output);
  await ensureBuilt(options);
  expect(statSync(output).ino).toBe(ino);

  writeFile(join(root, "source", "one.ts"), "export const one: number = 11;\n");
  await ensureBuilt(options);
  expect(readFileSync(join(output, "one.js"), "utf8")).toContain("exports.one = 11");
  expect(said.filter((line) => line.startsWith("✓"))).toHaveLength(2);
});

test("runs the bundler after the compilation, and again after the bundler has changed", async () => {
  const { root, output, options } = repository();
  const [target] = targets as [BuildTarget];
  const bundling = { ...options, targets: [{ ...target, bundler: "bundler.mjs" }] };
  const bundler = (text: string) =>
    writeFile(
      join(root, "bundler.mjs"),
      `import { appendFileSync } from "node:fs";\nappendFileSync(process.argv[3] + "/one.js", "// ${text}");\n`,
    );

  for (const text of ["first bundle", "second bundle"]) {
    bundler(text);
    await ensureBuilt(bundling);
    expect(readFileSync(join(output, "one.js"), "utf8")).toContain(`exports.one = 1;\n// ${text}`);
  }
});

test("removes the output of deleted sources", async () => {
  const { root, output, options } = repository();
  await ensureBuilt(options);

  rmSync(join(root, "source", "two.ts"));
  await ensureBuilt(options);

  expect(readdirSync(output).filter((name) => name.startsWith("two"))).toEqual([]);
});

test("reports type errors in every build, and keeps the previous output", async () => {
  const { root, output, options } = repository();
  await ensureBuilt(options);
  writeFile(join(root, "source", "one.ts"), `export const one: number = "one";\n`);

  const failed = () =>
    expect(ensureBuilt(options)).rejects.toThrow(/thing does not compile:\nsource\/one\.ts.*TS2322/);
  await failed();
  await failed();

  expect(readFileSync(join(output, "one.js"), "utf8")).toContain("exports.one = 1");
});

test("repeats an interrupted build, and leaves no temporary files behind", async () => {
  const { root, output, options } = repository();
  const abort = new AbortController();
  const step = async (_: string, work: () => Promise<void>) => {
    const working = work();
    abort.abort(new Error("enough"));
    await working;
  };

  const progress = { step } as unknown as Progress;
  await expect(ensureBuilt({ ...options, progress, signal: abort.signal })).rejects.toThrow("enough");
  expect(existsSync(output)).toBe(false);
  expect(readdirSync(join(root, ".agentserver"))).toEqual([]);

  await ensureBuilt(options);
  expect(existsSync(join(output, "one.js"))).toBe(true);
});

test("compiles once if two processes build at the same time", async () => {
  const { said, options } = repository();

  await Promise.all([ensureBuilt(options), ensureBuilt(options)]);

  expect(said.filter((line) => line.startsWith("✓"))).toHaveLength(1);
});
