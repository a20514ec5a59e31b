import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { createProgram } from "../../../../cli/program";
import { policies } from "../../../../policies/rules/index";
import { errorCodes } from "../../../../provider/errors";
import { repositoryRoot } from "../../../../tools/repository";
import { packageSchemaPath } from "../../../../tools/schemas/package-schema";
import { referencePages } from "../../../../tools/site/reference/pages";
import { pythonName, type PackageSchema } from "../../../../tools/site/reference/schema";

const text = readFileSync(join(repositoryRoot, packageSchemaPath), "utf8");
const schema = JSON.parse(text) as PackageSchema;
const pages = referencePages(schema).flatMap((group) => group.pages);
const pageOf = (title: string) => pages.find((page) => page.title === title)!;

/** Returns the names of all properties in a part of the schema, and in the types that it refers to. */
function propertiesIn(part: unknown, seen = new Set<string>()): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (key === "$ref") {
      const token = String(value).replace("#/types/", "");
      if (seen.has(token)) return [];
      seen.add(token);
      return propertiesIn(schema.types[token], seen);
    }
    const names = /^(properties|inputProperties)$/.test(key) ? Object.keys(value as object) : [];
    return [...names, ...propertiesIn(value, seen)];
  });
}

const members = Object.entries({ ...schema.resources, ...schema.functions }).map(
  ([token, member]) => [token.split(":").at(-1)!, member] as const,
);

test.each(members)("describes every property of %s and of the types that it uses", (title, member) => {
  const page = pageOf(title).text;
  const rows = new Set([...page.matchAll(/^\| .*?<code[^>]*>(\w+)<\/code>/gm)].map(([, name]) => name));
  const names = propertiesIn(member);
  expect(names.filter((name) => !rows.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(2);
});

test("describes every type in the schema", () => {
  const all = pages.map((page) => page.text).join("");
  const missing = Object.keys(schema.types).filter(
    (token) => !all.includes(`\n### ${token.split(":").at(-1)}\n`),
  );
  expect(missing).toEqual([]);
});

test("describes every setting and every command", () => {
  for (const setting of Object.keys(schema.config.variables))
    expect(pageOf("All settings").text).toContain(`>${setting}</code>`);
  const commands = createProgram("").commands.map((command) => command.name());
  expect(commands.length).toBeGreaterThan(7);
  for (const command of commands) {
    expect(pageOf("All commands").text).toContain(`## \`agentserver ${command}\``);
    expect(pageOf("All commands").text).toContain(`Usage: agentserver ${command}`);
  }
  expect(pageOf("All commands").text).toContain("Examples:");
});

/** Variables that only the product itself sets. */
const internal = /^AGENTSERVER_(GIT_USER|GIT_PASSWORD|HANDOVER|OWNER|PROMOTED_\w+|SCOPE)$/;

test("describes every environment variable that the packages read, and every option", () => {
  const described = ["All settings", "All commands"].map((title) => pageOf(title).text).join("");
  const folders = ["provider", "sdk", "cli", "emulator", "wire"].map((name) => join(repositoryRoot, name));
  const sources = folders.flatMap((folder) =>
    globSync("**/*.{ts,mjs,cjs}", { cwd: folder, exclude: (name) => /^(node_modules|dist)$/.test(name) }).map(
      (name) => readFileSync(join(folder, name), "utf8"),
    ),
  );
  const variables = new Set(sources.flatMap((source) => source.match(/\bAGENTSERVER_[A-Z_]*[A-Z]\b/g) ?? []));
  expect(variables.size).toBeGreaterThan(10);
  expect([...variables].filter((name) => !internal.test(name) && !described.includes(name))).toEqual([]);

  const options = createProgram("").commands.flatMap((command) => command.options);
  const visible = options.filter((option) => !option.hidden).map((option) => option.flags);
  expect(visible.filter((flags) => !described.includes(flags))).toEqual([]);
});

test("describes every policy with its settings and their defaults", () => {
  const { text: page } = pageOf("All policies");
  for (const { name, text: requirement, settings } of policies) {
    const [, section] = page.split(`\n## \`${name}\`\n`);
    const own = section!.split("\n## ")[0]!;
    expect(own).toContain(requirement.slice(0, 30));
    const rows = [...own.matchAll(/^\| `(\w+)` \| [\w ]+ \| .+ \| `(.*)` \|$/gm)];
    expect(Object.fromEntries(rows.map(([, setting, value]) => [setting, value]))).toEqual(
      Object.fromEntries(
        Object.entries(settings as Record<string, { default: unknown }>).map(([setting, one]) => [
          setting,
          JSON.stringify(one.default),
        ]),
      ),
    );
  }
});

test("describes every error code, with a link to instructions", () => {
  const { text: page } = pageOf("All error codes");
  for (const code of errorCodes)
    expect(page).toMatch(
      new RegExp(`^\\| \\[\`${code}\`\\]\\(\\.\\./errors\\.md#${code}\\) \\| \\S.+\\. \\|$`, "m"),
    );
  expect(page).toContain("| `retryAfterMs` | Pause that the server requested, in milliseconds. |");
  expect(page).toContain("| `isMissing` | True if ");
});

/** Returns the keys of the maps in a YAML document. */
function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...keysIn(inside),
  ]);
}

test("uses the Python names of the generated examples", () => {
  const properties = new Set(propertiesIn(schema));
  const compared = Object.values(schema.resources).flatMap(({ description = "" }) => {
    const [, python = ""] = /```python\n(.*?)```/s.exec(description) ?? [];
    const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(description) ?? [];
    const names = keysIn(parse(yaml)).filter((name) => properties.has(name) && /[A-Z]/.test(name));
    const words = new Set(python.match(/\w+/g));
    expect(names.filter((name) => !words.has(pythonName(name)))).toEqual([]);
    return names;
  });
  expect(new Set(compared).size).toBeGreaterThan(8);
});

test.each([
  ["repoUrl", "repo_url"],
  ["k8sNamespace", "k8s_namespace"],
  ["memoryMb", "memory_mb"],
  ["id", "id"],
  ["from", "from_"],
  ["pass", "pass_"],
])("converts %s to the Python name %s", (name, python) => expect(pythonName(name)).toBe(python));

test("shows examples in all languages, and escapes text outside code", () => {
  const { text: deployment } = pageOf("Deployment");
  expect([...deployment.matchAll(/^```(\w+)$/gm)].map(([, language]) => language)).toEqual([
    "ts",
    "python",
    "go",
    "yaml",
  ]);
  expect(pages.map((page) => page.text).join("")).not.toContain("{{%");
});
