import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatFault } from "../../../sdk/manifests/fault";
import { readFolder } from "../../../sdk/manifests/read-folder";
import { temporaryFolder } from "../../tools/temporary-folder";

function read(root: string) {
  const { files, faults } = readFolder(join(root, "in"), root, [join(root, "in", "overlays")]);
  return { paths: files.map(({ path }) => path), faults: faults.map(formatFault) };
}

test("manifests are found in folders below, in the order of their paths", () => {
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

test("links are followed, but not round in a circle", () => {
  const root = temporaryFolder({ "in/a.yaml": "x", "elsewhere/b.yaml": "x" });
  symlinkSync(join(root, "elsewhere"), join(root, "in", "linked"));
  symlinkSync(join(root, "in"), join(root, "in", "round"));
  expect(read(root)).toEqual({ paths: ["in/a.yaml", "in/linked/b.yaml"], faults: [] });
});

test("what cannot be read as text is a fault, since what it declares would be deleted otherwise", () => {
  const root = temporaryFolder({ "in/a.yaml": "x", "in/long.yaml": "x".repeat(1024 * 1024 + 1) });
  writeFileSync(join(root, "in", "binary.yaml"), Buffer.from([0xff, 0xfe, 0x00]));
  symlinkSync(join(root, "nowhere"), join(root, "in", "gone.yaml"));
  expect(read(root)).toEqual({
    paths: ["in/a.yaml"],
    faults: [
      "in/binary.yaml:1:1: the file is not UTF-8 text",
      "in/gone.yaml:1:1: cannot be read (ENOENT)",
      "in/long.yaml:1:1: the file is longer than 1 MiB",
    ],
  });
});
