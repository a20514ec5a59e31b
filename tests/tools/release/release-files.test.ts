import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { createReleaseFiles } from "../../../tools/release/release-files";
import { temporaryFolder } from "../temporary-folder";

const repository = "https://github.com/owner/name";

const integrity = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;

/** Creates a repository with two packages. Their dependencies exist only in the lock file. */
function repositoryAt(version: string, changelog: string): string {
  const root = temporaryFolder();
  const write = (file: string, content: object | string) =>
    writeFileSync(join(root, file), typeof content === "string" ? content : JSON.stringify(content));
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8")) as object;
  for (const folder of ["dist", "extra"]) mkdirSync(join(root, folder));
  const common = { version, license: "Apache-2.0", files: ["dist"] };
  write("package.json", {
    name: "main",
    ...common,
    workspaces: ["extra"],
    dependencies: { direct: "^1.0.0" },
    devDependencies: { nowhere: "^1.0.0", shared: "^1.0.0" },
  });
  write("dist/index.js", "exports.answer = 42;\n");
  write("LICENSE", "the license");
  write("README.md", "See [the license](LICENSE).\n");
  write("extra/package.json", {
    name: "other",
    ...common,
    dependencies: { indirect: "*", shared: "^1.0.0" },
  });
  const locked = (fields: object) => ({ version: "1.2.3", integrity, ...fields });
  write("package-lock.json", {
    name: "main",
    version,
    lockfileVersion: 3,
    packages: {
      "": { ...read("package.json") },
      extra: { ...read("extra/package.json") },
      "node_modules/other": { resolved: "extra", link: true },
      "node_modules/direct": locked({ dependencies: { indirect: "^1.0.0" } }),
      "node_modules/indirect": locked({}),
      "extra/node_modules/indirect": locked({ version: "2.0.0" }),
      "node_modules/nowhere": locked({ dev: true }),
      "node_modules/shared": locked({}),
    },
  });
  write("CHANGELOG.md", changelog);
  mkdirSync(join(root, "schemas"));
  write("schemas/agentserver.json", { pluginDownloadURL: "github://api.github.com/owner/name" });
  return root;
}

const changelog = `# Changelog

## [Unreleased]

## [1.2.0] - 2026-03-01

### Added

- Something new.

## [1.1.0] - 2026-02-01

### Fixed

- Something old.
`;

async function released(
  tag: string,
  root = repositoryAt("1.2.0", changelog),
  { address = repository, allowUndated = false } = {},
): Promise<string> {
  const output = join(root, "release");
  const writeArchives = async (folder: string) =>
    writeFileSync(join(folder, "plugin-v1.2.0-linux-amd64.tar.gz"), "the plugin");
  const writeSdks = async (folder: string) => writeFileSync(join(folder, "schema.json"), "{}");
  await createReleaseFiles({
    root,
    tag,
    repository: address,
    output,
    allowUndated,
    writeSdks,
    writeArchives,
  });
  return output;
}

async function contentOf(tarball: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  await list({
    file: tarball,
    onReadEntry: (entry) => {
      content[entry.path] = "";
      entry.on("data", (part) => (content[entry.path] += part.toString()));
    },
  });
  return content;
}

test("creates packages with a repository field, SBOMs, SDKs, plugin archives, and checksums", async () => {
  const output = await released("v1.2.0");
  const files = join(output, "packages");

  const main = await contentOf(join(files, "main-1.2.0.tgz"));
  expect(Object.keys(main).sort()).toEqual([
    "package/LICENSE",
    "package/README.md",
    "package/dist/index.js",
    "package/package.json",
  ]);
  expect(JSON.parse(main["package/package.json"]!)).toMatchObject({
    name: "main",
    version: "1.2.0",
    repository: { type: "git", url: "git+https://github.com/owner/name.git" },
  });
  expect(main["package/package.json"]).not.toMatch(/devDependencies|workspaces/);
  expect(main["package/README.md"]).toBe(`See [the license](${repository}/blob/v1.2.0/LICENSE).\n`);
  const extra = await contentOf(join(files, "other-1.2.0.tgz"));
  expect(JSON.parse(extra["package/package.json"]!)).toHaveProperty("repository", {
    type: "git",
    url: "git+https://github.com/owner/name.git",
    directory: "extra",
  });

  const sbomOf = (name: string) =>
    JSON.parse(readFileSync(join(files, `${name}-1.2.0.cdx.json`), "utf8")) as object;
  const hashes = [{ alg: "SHA-512", content: "07".repeat(64) }];
  expect(sbomOf("main")).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "main", version: "1.2.0", purl: "pkg:npm/main@1.2.0" } },
    components: [
      { purl: "pkg:npm/direct@1.2.3", hashes },
      { purl: "pkg:npm/indirect@1.2.3", hashes },
    ],
    dependencies: expect.arrayContaining([
      { ref: "main@1.2.0", dependsOn: ["direct@1.2.3"] },
      { ref: "direct@1.2.3", dependsOn: ["indirect@1.2.3"] },
    ]),
  });
  expect(sbomOf("other")).toMatchObject({
    metadata: { component: { name: "other", version: "1.2.0", purl: "pkg:npm/other@1.2.0" } },
    components: [
      { purl: "pkg:npm/indirect@2.0.0", hashes },
      { purl: "pkg:npm/shared@1.2.3", hashes },
    ],
  });

  const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: files, encoding: "utf8" });
  expect(checked.trim().split("\n").sort()).toEqual([
    "main-1.2.0.cdx.json: OK",
    "main-1.2.0.tgz: OK",
    "other-1.2.0.cdx.json: OK",
    "other-1.2.0.tgz: OK",
    "plugin-v1.2.0-linux-amd64.tar.gz: OK",
    "schema.json: OK",
  ]);
});

test("extracts the release notes from the changelog", async () => {
  const output = await released("v1.2.0");
  expect(readFileSync(join(output, "notes.md"), "utf8")).toBe("### Added\n\n- Something new.\n");
});

test.each([
  "## [Unreleased]\n\n- [Something](LICENSE).\n\n## [1.1.0] - 2026-02-01\n",
  "## [Unreleased]\n\n- Later.\n\n## [1.2.0]\n\n- [Something](LICENSE).\n",
])("extracts the notes of a dry run from an unreleased or undated section", async (text) => {
  const root = repositoryAt("1.2.0", `# Changelog\n\n${text}`);
  const output = await released("v1.2.0", root, { allowUndated: true });
  expect(readFileSync(join(output, "notes.md"), "utf8")).toBe(
    `- [Something](${repository}/blob/v1.2.0/LICENSE).\n`,
  );
});

test("rejects a tag that does not match the version of a package", () =>
  expect(released("v1.3.0")).rejects.toThrow("The tag is v1.3.0, but main is 1.2.0, other is 1.2.0."));

test("rejects a repository from which the engine would not download the plugin", () =>
  expect(
    released("v1.2.0", repositoryAt("1.2.0", changelog), { address: "https://github.com/other/name" }),
  ).rejects.toThrow(
    "The engine would download the provider plugin from github://api.github.com/owner/name instead of github://api.github.com/other/name.",
  ));

test.each([
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something.\n",
  "# Changelog\n\n## [1.2.0] - 2026-03-01\n",
])("rejects a version without a section in the changelog", (text) =>
  expect(released("v1.2.0", repositoryAt("1.2.0", text))).rejects.toThrow(
    'CHANGELOG.md has no section "## [1.2.0] - <date>"',
  ),
);
