import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { readArtifacts } from "../../../../tools/release/artifacts";
import { fileListFaults, writeFileLists } from "../../../../tools/release/checks/file-lists";
import { licenseFaults } from "../../../../tools/release/checks/licenses";
import { metadataFaults } from "../../../../tools/release/checks/metadata";
import { checkRelease } from "../../../../tools/release/checks/run-checks";
import { sizeFaults, sizeTable } from "../../../../tools/release/checks/size-budgets";
import { checksumFaults, writeChecksums } from "../../../../tools/release/checksums";
import { repositoryRoot } from "../../../../tools/repository";
import { temporaryFolder } from "../../temporary-folder";

const repository = "https://github.com/owner/name";

const manifest = {
  name: "main",
  version: "1.2.0",
  description: "A package",
  keywords: ["package"],
  license: "Apache-2.0",
  engines: { node: ">=22" },
  main: "./index.js",
  types: "./index.d.ts",
  repository: { type: "git", url: `git+${repository}.git` },
};

const files = {
  "package.json": JSON.stringify(manifest),
  LICENSE: "the license",
  "README.md": "# A package\n",
  "index.js": "exports.answer = 42;\n",
  "index.d.ts": "export declare const answer: number;\n",
};

/** Writes a package in the same way as npm packs it, with changes to its files. Returns the contents of a release. */
async function packed(changes: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const content = { ...files, ...changes };
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(join(folder, "package", path, ".."), { recursive: true });
    writeFileSync(join(folder, "package", path), text);
  }
  mkdirSync(join(folder, "release"));
  const names = Object.keys(content).map((path) => `package/${path}`);
  await create({ file: join(folder, "release", "main-1.2.0.tgz"), cwd: folder, gzip: true }, names);
  const release = join(folder, "release");
  writeChecksums(release, ["main-1.2.0.tgz"]);
  return { folder: release, artifacts: await readArtifacts(release, "1.2.0") };
}

const withManifest = (changes: object) => ({ "package.json": JSON.stringify({ ...manifest, ...changes }) });

/** Runs all checks, and returns what they print. */
async function check(changes: Record<string, string>): Promise<string[]> {
  const { folder, artifacts } = await packed(changes);
  const lists = temporaryFolder();
  writeFileLists(artifacts, lists);
  const lines: string[] = [];
  const release = { root: repositoryRoot, files: folder, artifacts, version: "1.2.0", repository, lists };
  await checkRelease(
    { ...release, budgets: { "main.tgz": 10 }, bundled: [] },
    { print: (line) => lines.push(line) },
  ).catch((error: unknown) => lines.push((error as Error).message));
  return lines;
}

test("prints one line per check if there are no faults", async () => {
  expect(await check({})).toEqual([
    "✓ imports and types (publint, arethetypeswrong)",
    "✓ file lists",
    "✓ size budgets",
    "✓ licenses",
    "✓ README links",
    "✓ checksums",
    "✓ metadata",
  ]);
});

test("reports a missing entry point, a broken link, and a summary of the failed checks", async () => {
  const lines = await check({
    ...withManifest({ main: "./missing.js" }),
    "README.md": "[guide](docs/a.md#b)",
  });
  expect(lines[1]).toMatch(/^ {2}main-1\.2\.0\.tgz: .*missing\.js.* \(publint\)$/);
  expect(lines).toContain(
    "  main-1.2.0.tgz: README.md links to docs/a.md#b, which is not in the package. Use the URL of the file in the repository.",
  );
  expect(lines.at(-1)).toBe(
    "The release has faults: imports and types (publint, arethetypeswrong), README links.",
  );
});

test("reports type declarations that have a different module format than the code", async () => {
  const exports = { types: "./index.d.mts", default: "./index.js" };
  const lines = await check({ ...withManifest({ exports }), "index.d.mts": files["index.d.ts"] });
  expect(lines.join("\n")).toMatch(/^ {2}main-1\.2\.0\.tgz: .*\(arethetypeswrong\)$/m);
});

test("reports added and missing files as a difference", async () => {
  const lists = temporaryFolder();
  writeFileLists((await packed({ "old.txt": "" })).artifacts, lists);
  expect(readFileSync(join(lists, "main.tgz.txt"), "utf8")).toBe(
    "LICENSE\nREADME.md\nindex.{js,d.ts}\nold.txt\npackage.json\n",
  );
  const { artifacts } = await packed({ "secrets.env": "" });
  expect(fileListFaults(artifacts, lists)).toEqual([
    `main-1.2.0.tgz: the contents differ from ${lists}/main.tgz.txt. If the change is intended, run \`npm run release:dry -- --update-lists\` and commit the list.\n  - old.txt\n  + secrets.env`,
  ]);
});

test("ignores the hashes in the names of bundled files when comparing the lists", async () => {
  const lists = temporaryFolder();
  writeFileLists((await packed({ "chunk-AB12CD34.js": "", "chunk-EF56GH78.js": "" })).artifacts, lists);
  const { artifacts } = await packed({ "chunk-ZZ99YY88.js": "" });
  expect(fileListFaults(artifacts, lists)).toEqual([]);
});

test("reports files that were changed or added after the checksums were written", async () => {
  const { folder } = await packed();
  expect(checksumFaults(folder)).toEqual([]);
  for (const name of ["main-1.2.0.tgz", "schema.json"]) writeFileSync(join(folder, name), "changed");
  expect(checksumFaults(folder)).toEqual(
    ["main-1.2.0.tgz", "schema.json"].map(
      (name) => `${name}: SHA256SUMS does not contain its checksum. Create the release again.`,
    ),
  );
});

test("requires a file list and a size budget for each archive", async () => {
  const { artifacts } = await packed();
  expect(fileListFaults(artifacts, "lists")).toEqual([
    "main-1.2.0.tgz: lists/main.tgz.txt is missing. Create it with `npm run release:dry -- --update-lists`.",
  ]);
  expect(sizeFaults(artifacts, {})).toEqual([
    "main-1.2.0.tgz: there is no budget for main.tgz in tools/release/budgets.json.",
  ]);
});

test("reports an archive that exceeds its size budget, with its largest files", async () => {
  const random = Array.from({ length: 3000 }, (_, index) => (index * 7919) % 1009).join(" ");
  const { artifacts } = await packed({ "big.txt": random });
  expect(sizeFaults(artifacts, { "main.tgz": 1 })).toEqual([
    expect.stringMatching(
      /^main-1\.2\.0\.tgz: \d+\.\d KiB exceeds the budget of 1\.0 KiB\. Largest files: big\.txt \(11\.\d KiB\), package\.json/,
    ),
  ]);
  expect(sizeTable(artifacts, { "main.tgz": 100 }).split("\n")).toEqual([
    expect.stringMatching(/^file +size +unpacked +files +of budget$/),
    expect.stringMatching(/^main-1\.2\.0\.tgz +\d\.\d KiB +1\d\.\d KiB +6 +\d%$/),
  ]);
});

test.each([
  ["MIT", "bundled", true],
  ["(MIT OR GPL-3.0-only)", "bundled", true],
  ["(BSD-3-Clause AND Apache-2.0)", "bundled", true],
  ["(MIT AND GPL-3.0-only)", "installed", false],
  ["MPL-2.0", "installed", true],
  ["MPL-2.0", "bundled", false],
  ["GPL-3.0-only", "installed", false],
  [undefined, "installed", false],
] as const)(
  "evaluates the license %s of a package that is %s as acceptable: %s",
  (license, use, isAllowed) => {
    const faults = licenseFaults("main.tgz", [{ id: "one@1.0.0", name: "one", license }], use);
    expect(faults).toEqual(
      isAllowed
        ? []
        : [
            `main.tgz: one@1.0.0 has the license ${license ?? "(none stated)"}, which is not allowed for ${use} packages. Replace the package, or add the license to tools/release/checks/licenses.ts.`,
          ],
    );
  },
);

test.each<[string, Record<string, string>]>([
  ['"version" in package.json must be "1.2.0".', withManifest({ version: "1.1.0" })],
  ['"license" in package.json must be "Apache-2.0".', withManifest({ license: "MIT" })],
  ['"description" in package.json is missing or empty.', withManifest({ description: undefined })],
  ['"keywords" in package.json is missing or empty.', withManifest({ keywords: [] })],
  ['"engines.node" in package.json is missing or empty.', withManifest({ engines: {} })],
  [
    '"repository.url" in package.json must be "git+https://github.com/owner/name.git".',
    withManifest({ repository: undefined }),
  ],
  [
    '"types" in package.json must be a file of the package, but is "./missing.d.ts".',
    withManifest({ types: "./missing.d.ts" }),
  ],
  ['"scripts" in package.json applies only to the repository.', withManifest({ scripts: {} })],
])("reports metadata faults: %s", async (fault, changes) => {
  const { artifacts } = await packed(changes);
  expect(metadataFaults(artifacts, "1.2.0", repository)).toEqual([`main-1.2.0.tgz: ${fault}`]);
});

test("reads the contents and the metadata of a Python wheel", async () => {
  const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("one/__init__.py", "")
    archive.writestr("one-1.2.0.dist-info/METADATA", "Name: pytest-agentserver\\nVersion: 1.2.0\\nLicense: Apache-2.0\\n\\n[a](b.md)")
`;
  const folder = temporaryFolder();
  execFileSync("python3", ["-c", script, join(folder, "pytest_agentserver-1.2.0-py3-none-any.whl")]);
  const [wheel] = await readArtifacts(folder, "1.2.0");
  expect(wheel).toMatchObject({ name: "pytest_agentserver-py3-none-any.whl", readme: "[a](b.md)" });
  expect(wheel!.contents.map(({ path }) => path)).toEqual(["one.dist-info/METADATA", "one/__init__.py"]);
  const faults = metadataFaults([wheel!], "1.2.0", repository);
  expect(faults.map((fault) => /line "(\S+):/.exec(fault)?.[1])).toEqual([
    "Summary",
    "Keywords",
    "Requires-Python",
    "Project-URL",
    "Description-Content-Type",
  ]);
  const other = { ...wheel!, metadata: wheel!.metadata!.replace("pytest-agentserver", "other") };
  expect(metadataFaults([other], "1.2.0", repository)).toContain(
    `${wheel!.file}: the metadata has no line "Name: pytest_agentserver".`,
  );
});
