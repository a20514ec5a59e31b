import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { makeReleaseFiles } from "../../../tools/release/release-files";
import { temporaryFolder } from "../temporary-folder";

const repository = "https://github.com/owner/name";

/** A repository of two packages without dependencies. */
function repositoryAt(version: string, changelog: string): string {
  const root = temporaryFolder();
  const write = (file: string, content: object | string) =>
    writeFileSync(join(root, file), typeof content === "string" ? content : JSON.stringify(content));
  for (const folder of ["dist", "extra"]) mkdirSync(join(root, folder));
  const common = { version, license: "Apache-2.0", files: ["dist"] };
  write("package.json", {
    name: "main",
    ...common,
    workspaces: ["extra"],
    devDependencies: { nowhere: "1.0.0" },
  });
  write("dist/index.js", "exports.answer = 42;\n");
  write("LICENSE", "the licence");
  write("extra/package.json", { name: "extra", ...common });
  write("CHANGELOG.md", changelog);
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

async function released(tag: string, root = repositoryAt("1.2.0", changelog)): Promise<string> {
  const output = join(root, "release");
  await makeReleaseFiles({ root, tag, repository, output });
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

test("a release has every package with its repository, an SBOM of each, and checksums that hold", async () => {
  const output = await released("v1.2.0");
  const files = join(output, "packages");

  const main = await contentOf(join(files, "main-1.2.0.tgz"));
  expect(Object.keys(main).sort()).toEqual([
    "package/LICENSE",
    "package/dist/index.js",
    "package/package.json",
  ]);
  expect(JSON.parse(main["package/package.json"]!)).toMatchObject({
    name: "main",
    version: "1.2.0",
    repository: { type: "git", url: "git+https://github.com/owner/name.git" },
  });
  const extra = await contentOf(join(files, "extra-1.2.0.tgz"));
  expect(JSON.parse(extra["package/package.json"]!)).toHaveProperty("repository", {
    type: "git",
    url: "git+https://github.com/owner/name.git",
    directory: "extra",
  });

  const sbom: unknown = JSON.parse(readFileSync(join(files, "main-1.2.0.cdx.json"), "utf8"));
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "main", version: "1.2.0", purl: "pkg:npm/main@1.2.0" } },
  });

  const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: files, encoding: "utf8" });
  expect(checked.trim().split("\n").sort()).toEqual([
    "extra-1.2.0.cdx.json: OK",
    "extra-1.2.0.tgz: OK",
    "main-1.2.0.cdx.json: OK",
    "main-1.2.0.tgz: OK",
  ]);
});

test("the notes of a release are its section of the changelog", async () => {
  const output = await released("v1.2.0");
  expect(readFileSync(join(output, "notes.md"), "utf8")).toBe("### Added\n\n- Something new.\n");
});

test("a tag of another version than a package's is refused, with both", () =>
  expect(released("v1.3.0")).rejects.toThrow("The tag is v1.3.0, but main is 1.2.0, extra is 1.2.0."));

test.each([
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something.\n",
  "# Changelog\n\n## [1.2.0] - 2026-03-01\n",
])("a version that the changelog says nothing about is refused", (text) =>
  expect(released("v1.2.0", repositoryAt("1.2.0", text))).rejects.toThrow(
    'CHANGELOG.md has no section "## [1.2.0] - <date>"',
  ),
);
