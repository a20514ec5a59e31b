import { compileFunction } from "node:vm";
import { fc } from "../../properties";
import { transpileModule } from "typescript";
import type { ExportedContent, ExportedDeployment } from "../../../cli/export/model";
import { contentManifest } from "../../../cli/export/contents/manifests";
import { literal } from "../../../cli/export/literal";
import { manifestFiles, manifestText } from "../../../cli/export/manifests";
import { namesFor } from "../../../cli/export/names";
import { programText } from "../../../cli/export/program";
import { representableContents, representableInManifests } from "../../../cli/export/representable";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { parseManifests } from "../../../sdk/manifests/parse";
import { resolveReferences } from "../../../sdk/manifests/resolve";

const nasty = fc.constantFrom(
  '"); throw 1; //',
  "${x}",
  "`",
  "*/",
  "\\",
  "'",
  "\n# a: b",
  "$${secret:A}",
  "\u2028evil()",
  "\u202e",
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: "grapheme" })), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const line = text.map((value) => `a${value.replace(/[\p{C}\u2028\u2029]/gu, "")}`);

const command = text.map((value) => `a${value.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, "")}`);

const spec = fc.dictionary(
  fc.oneof(line, fc.constantFrom("__proto__", "constructor", "memoryMb")),
  fc.jsonValue({ stringUnit: "grapheme" }),
  { maxKeys: 3 },
);
const secretNames = fc.uniqueArray(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/), { maxLength: 3 });

const deployment = fc
  .record({
    name: line,
    repoRef: line,
    installCommand: command,
    resourceSpec: spec,
    secretNames,
    notice: text,
    id: text,
  })
  .map(
    ({
      name,
      repoRef,
      installCommand,
      resourceSpec,
      secretNames: secrets,
      notice,
      id,
    }): ExportedDeployment => {
      const [own] = namesFor([name]);
      const inputs: DeploymentInputs = {
        name,
        source: "github",
        sourceConfig: { repoUrl: name, installCommand, buildOnPush: true, resourceSpec },
        sourceRevisionConfig: { repoRef },
        secrets: Object.fromEntries(secrets.map((secret) => [secret, "value"])),
        adopt: "always",
      };
      const keys = secrets.map((secret) => ({
        name: secret,
        key: `${own!.variable}_${secret}`,
        value: "value",
      }));
      const found = { latestRevisionId: "r", tenantId: "" };
      return { ...own!, id, name, inputs, found, secrets: keys, notices: [notice], asComment: false };
    },
  );

const workspace = { deployments: [], contents: [], namesInUse: [], omitted: [] };

const contents = fc
  .record({ deployment, name: line, title: text, values: spec, namespace: line })
  .map(({ deployment: one, name, title, values, namespace }): ExportedContent[] => {
    const [, ...names] = namesFor([one.name, name, `${name}-cron`, namespace]);
    const { resourceSpec: _, ...sourceConfig } = one.inputs.sourceConfig;
    const sayable = { ...one, inputs: { ...one.inputs, sourceConfig } };
    const common = { deployment: sayable, title, notices: [title] };
    const assistant: ExportedContent = {
      ...common,
      ...names[0]!,
      kind: "Assistant",
      inputs: { graph: name, context: values },
    };
    return [
      assistant,
      { ...common, ...names[1]!, kind: "Cron", assistant, inputs: { schedule: "0 9 * * *", input: values } },
      {
        ...common,
        ...names[2]!,
        kind: "StoreItems",
        inputs: { namespace: [name.replaceAll(".", "-")], items: { [name]: values } },
      },
    ];
  });

/** Runs a program and returns the resources that it declares. */
function run(program: string): { name: string; args: unknown }[] {
  const { outputText } = transpileModule(program, {
    compilerOptions: { module: 1 as never, target: 9 as never },
  });
  const made: { name: string; args: unknown }[] = [];
  class Deployment {
    url = "";
    constructor(name: string, args: unknown) {
      made.push({ name, args });
    }
  }
  class Inside {
    constructor(name: string, { deployment: _, ...args }: { deployment: unknown }) {
      made.push({ name, args });
    }
  }
  class Config {
    requireSecret = (key: string) => `secret ${key}`;
  }
  const modules: Record<string, unknown> = {
    "@pulumi/pulumi": { Config },
    "pulumi-agentserver": { Deployment, Assistant: Inside, Cron: Inside, StoreItems: Inside },
  };
  const start = compileFunction(outputText, ["require", "exports"]) as (find: unknown, made: object) => void;
  start((name: string) => modules[name], {});
  return made;
}

/** Returns the expected name and arguments of an exported deployment, with references instead of its secrets. */
function expected({ resource, inputs, secrets }: ExportedDeployment) {
  const references = Object.fromEntries(secrets.map(({ name, key }) => [name, `secret ${key}`]));
  return { name: resource, args: { ...inputs, secrets: references } };
}

test("declares the exported deployments in a program, and escapes all text", () => {
  fc.assert(
    fc.property(deployment, (one) => {
      expect(run(programText({ deployments: [one], contents: [] }))).toEqual([expected(one)]);
      expect(run(programText({ deployments: [{ ...one, asComment: true }], contents: [] }))).toEqual([]);
    }),
  );
});

test("declares the exported deployments in manifests, and escapes all text", () => {
  fc.assert(
    fc.property(deployment, (one) => {
      const {
        deployments: [sayable],
      } = representableInManifests({ ...workspace, deployments: [one] });
      const said = sayable!.inputs.sourceConfig.resourceSpec;
      if (said === undefined) expect(JSON.stringify(one.inputs)).toMatch(/\$\{|__proto__|-0|e[+-]?\d|\d{16}/);
      else expect(sayable).toBe(one);
      const read = (exported: ExportedDeployment) => {
        const [file] = manifestFiles([exported], "../schema.json");
        return parseManifests({ manifests: [{ path: file!.name, text: file!.text }] });
      };
      const { deployments, faults } = read(sayable!);
      expect(faults).toEqual([]);
      const values = {
        env: () => undefined,
        readableVariables: [],
        hide: (value: string) => value,
        secret: (key: string) => `secret ${key}`,
        join: (parts: string[]) => parts.join(""),
      };
      const resolved = deployments.map((declared) => {
        const { spec: given } = resolveReferences<string>(declared, values);
        return { name: declared.name, args: { name: declared.name, ...(given as object) } };
      });
      expect(resolved).toEqual([expected(sayable!)]);
      expect(read({ ...one, asComment: true })).toEqual({ deployments: [], others: [], faults: [] });
    }),
  );
});

test("declares the exported contents in a program, and escapes all text", () => {
  fc.assert(
    fc.property(contents, (some) => {
      const [, ...made] = run(programText({ deployments: [some[0]!.deployment], contents: some }));
      expect(made.map(({ name }) => name)).toEqual(some.map(({ resource }) => resource));
      for (const [at, { inputs }] of some.entries()) expect(made[at]!.args).toMatchObject(inputs);
    }),
  );
});

test("declares the exported contents in manifests, and escapes all text", () => {
  fc.assert(
    fc.property(contents, (some) => {
      const { contents: sayable, omitted } = representableContents({ ...workspace, contents: some });
      expect(sayable.length + omitted.length).toBe(some.length);
      if (!/\$\{|__proto__|-0|e[+-]?\d|\d{16}/.test(JSON.stringify(some.map(({ inputs }) => inputs))))
        expect(omitted).toEqual([]);
      for (const content of sayable) {
        const text = contentManifest(content);
        const place = { path: "agent.yaml", text: manifestText(content.deployment) };
        const { others, faults } = parseManifests({ manifests: [place, { path: "a.yaml", text }] });
        expect(faults).toEqual([]);
        const values = {
          env: () => undefined,
          readableVariables: [],
          hide: (value: string) => value,
          secret: () => undefined,
          join: (parts: string[]) => parts.join(""),
        };
        const { spec: given, faults: unresolved } = resolveReferences<string>(others[0]!, values);
        expect(unresolved).toEqual([]);
        expect(given).toMatchObject(JSON.parse(JSON.stringify(content.inputs)) as object);
      }
    }),
  );
});

test("breaks long literals and escapes invisible characters", () => {
  expect(literal({ a: [-0] })).toBe("{ a: [-0] }");
  expect(literal({ a: 1, "b-c": ["x", true, null], none: undefined })).toBe(
    '{ a: 1, "b-c": ["x", true, null] }',
  );
  expect(literal({ long: "x".repeat(60), other: "y".repeat(60) })).toBe(
    `{\n  long: "${"x".repeat(60)}",\n  other: "${"y".repeat(60)}",\n}`,
  );
  expect(literal("\u202e\u2028\u0007")).toBe('"\\u202e\\u2028\\u0007"');
});
