import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatFault } from "../../../sdk/manifests/fault";
import { readFolder } from "../../../sdk/manifests/read-folder";
import { temporaryFolder } from "../../tools/temporary-folder";

function read(root: string) {
  const { files, faults } = readFolder(join(root, "in"), root, [join(root, "in", "overlays")]);
  return { paths: files.map(({ path }) => path), faults: faults.map(formatFault) };
}

test("finds manifests in subfolders, sorted by path", () => {
  const files = [
    "b.yaml",
    "a/z.yml",
    "a/y.YAML",
    "c.json",
    "README.md",
    ".git/x.yaml",
    ".x.yaml",
    "overlays/p/a.yaml",
  ];
  const root = temporaryFolder(Object.fromEntries(files.map((file) => [`in/${file}`, "x"])));
  expect(read(root)).toEqual({ paths: ["in/a/y.YAML", "in/a/z.yml", "in/b.yaml"], faults: [] });
});

test("rejects symbolic links without reading their targets", () => {
  const root = temporaryFolder({ "in/a.yaml": "x", "elsewhere/b.yaml": "canary: {", "README.md": "" });
  const links = { linked: "elsewhere", "c.yaml": "elsewhere/b.yaml", round: "in", "gone.yml": "nowhere" };
  for (const [name, target] of Object.entries({ ...links, "README.md": "README.md", ".x.yaml": "a" }))
    symlinkSync(join(root, target), join(root, "in", name));
  expect(read(root)).toEqual({
    paths: ["in/a.yaml"],
    faults: ["c.yaml", "gone.yml", "linked", "round"].map(
      (name) => `in/${name}:1:1: is a link, which is not followed; replace it with the file or folder itself`,
    ),
  });
});

test("reports unreadable files instead of ignoring them, which would delete their resources", () => {
  const root = temporaryFolder({ "in/a.yaml": "x", "in/long.yaml": "x".repeat(1024 * 1024 + 1) });
  writeFileSync(join(root, "in", "binary.yaml"), Buffer.from([0xff, 0xfe, 0x00]));
  expect(read(root)).toEqual({
    paths: ["in/a.yaml"],
    faults: [
      "in/binary.yaml:1:1: the file is not UTF-8 text",
      "in/long.yaml:1:1: the file is larger than 1 MiB",
    ],
  });
});
