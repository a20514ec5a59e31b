import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { uploadBounds } from "../../../../emulator/control-plane/uploads/bounds";
import { unpack } from "../../../../emulator/control-plane/uploads/unpack";
import { temporaryFolder } from "../folder";
import { type Entry, tar, tarGz } from "./archive";

const never = new AbortController().signal;
const small = { bytes: 4096, unpackedBytes: 64 * 1024, entries: 10, depth: 5 };

/** Unpacks an archive. Resolves with the contents of the folder, or with the error. */
async function unpacked(archive: Buffer, bounds = uploadBounds, pieces = 1000): Promise<string[] | string> {
  const folder = join(temporaryFolder(), "inside");
  mkdirSync(folder);
  const parts = Array.from({ length: Math.ceil(archive.length / pieces) }, (_, index) =>
    archive.subarray(index * pieces, (index + 1) * pieces),
  );
  try {
    await unpack(Readable.from(parts), folder, never, bounds);
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  } catch (error) {
    // A rejected archive never writes outside the folder.
    expect(readdirSync(join(folder, ".."))).toEqual(["inside"]);
    return (error as Error).message;
  }
}

describe("the unpacker", () => {
  test.each([1, 7, 512, 1_000_000])("supports archives that arrive in chunks of %i bytes", async (pieces) => {
    const files = [
      { path: "langgraph.json", text: "{}" },
      { path: "./src/", type: "5" },
      { path: "./src/agent.ts", text: "x".repeat(70_000) },
      { path: "empty", text: "" },
      { path: "deep/er/file", text: "no separate folder" },
    ];
    expect(await unpacked(tarGz(files), uploadBounds, pieces)).toEqual([
      "deep",
      "deep/er",
      "deep/er/file",
      "empty",
      "langgraph.json",
      "src",
      "src/agent.ts",
    ]);
  });

  test("preserves the contents and the executable bits, but no other mode bits", async () => {
    const folder = temporaryFolder();
    const entries: Entry[] = [
      { path: "run.sh", text: "echo", mode: 0o4775 },
      { path: "text", text: "words", mode: 0o600 },
    ];
    await unpack(Readable.from([tarGz(entries)]), folder, never);
    expect(readFileSync(join(folder, "text"), "utf8")).toBe("words");
    const mode = (name: string): string => (statSync(join(folder, name)).mode & 0o7711).toString(8);
    expect([mode("run.sh"), mode("text")]).toEqual(["711", "600"]);
  });

  test.each(["posix", "gnu", "ustar"])(
    "supports tar archives in the %s format, with long names",
    async (format) => {
      const source = temporaryFolder();
      const long = `${"n".repeat(format === "ustar" ? 90 : 200)}.txt`;
      mkdirSync(join(source, "sub"));
      writeFileSync(join(source, "sub", long), "long");
      writeFileSync(join(source, "größe"), "wide");
      const packed = execFileSync("tar", ["-C", source, `--format=${format}`, "-czf", "-", "."]);
      expect(await unpacked(packed)).toEqual(["größe", "sub", `sub/${long}`].sort());
    },
  );

  test("keeps the last one of two files with the same name", async () => {
    const folder = temporaryFolder();
    const twice = tarGz([
      { path: "a", text: "first and longer" },
      { path: "a", text: "last" },
    ]);
    await unpack(Readable.from([twice]), folder, never);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("last");
  });
});

describe("the unpacker, for an invalid archive", () => {
  test.each<[string, Entry, string]>([
    ["a symbolic link", { path: "a", type: "2", linksTo: "/etc/passwd" }, "'a' is a link"],
    ["a hard link", { path: "a", type: "1", linksTo: "b" }, "'a' is a link"],
    ["a character device", { path: "a", type: "3" }, "'a' is neither a file nor a folder"],
    ["a block device", { path: "a", type: "4" }, "'a' is neither a file nor a folder"],
    ["a pipe", { path: "a", type: "6" }, "'a' is neither a file nor a folder"],
    ["an entry of an unknown type", { path: "a", type: "Q" }, "'a' is of an unknown type"],
    ["an absolute path", { path: "/etc/a", text: "" }, "'/etc/a' is an absolute path"],
    ["an absolute folder", { path: "/etc/", type: "5" }, "'/etc/' is an absolute path"],
    ["a Windows path", { path: "C:\\a", text: "" }, "is an absolute path"],
    ["a path to a parent folder", { path: "../a", text: "" }, "'../a' points outside the archive"],
    [
      "a path to a parent folder through a subfolder",
      { path: "x/../../a", text: "" },
      "points outside the archive",
    ],
    ["a folder outside the archive", { path: "x/..", type: "5" }, "points outside the archive"],
    ["a Windows path to a parent folder", { path: "x\\..\\..\\a", text: "" }, "points outside the archive"],
    ["a file without a name", { path: ".", text: "" }, "'.' is not the name of a file"],
    [
      "a file whose name has only slashes and dots",
      { path: ".//./.", text: "" },
      "is not the name of a file",
    ],
    ["a file with the name of a folder", { path: "x/.", text: "" }, "'x/.' is not the name of a file"],
    ["a name that is too long", { path: "n".repeat(99), text: "" }, "is refused"],
  ])("rejects an archive because of an entry: %s", async (_what, entry, reason) => {
    const long = entry.path.length === 99 ? tarGz([longName("n".repeat(300)), entry]) : undefined;
    const answer = await unpacked(long ?? tarGz([{ path: "before", text: "fine" }, entry]));
    expect(answer).toMatch(/^The archive was rejected: /);
    expect(answer).toContain(long ? "cannot be written (ENAMETOOLONG)" : reason);
  });

  test("rejects a link in an archive that was created with tar", async () => {
    const source = temporaryFolder();
    symlinkSync("/etc", join(source, "etc"));
    const packed = execFileSync("tar", ["-C", source, "-czf", "-", "."]);
    expect(await unpacked(packed)).toContain("'./etc' is a link");
  });

  test("rejects a file and a folder with the same path, in either order", async () => {
    const below = { path: "a/b", text: "" };
    expect(await unpacked(tarGz([{ path: "a", text: "" }, below]))).toContain("'a/b' cannot be written");
    expect(await unpacked(tarGz([below, { path: "a", text: "" }]))).toContain(
      "'a' cannot be written (EISDIR)",
    );
  });

  test.each([
    ["an empty file", Buffer.alloc(0), "not compressed with gzip"],
    ["plain text", Buffer.from("not an archive"), "not compressed with gzip"],
    ["a tar archive that is not compressed", tar([{ path: "a", text: "" }]), "not compressed with gzip"],
    [
      "a damaged gzip file",
      damaged(tarGz([{ path: "a", text: "x".repeat(9999) }])),
      "not compressed with gzip",
    ],
    ["a truncated gzip file", tarGz([{ path: "a", text: "" }]).subarray(0, 40), "not compressed with gzip"],
    ["compressed text", gzipSync("words"), "not a tar archive"],
    ["long compressed text", gzipSync("words ".repeat(1000)), "not a tar archive"],
    [
      "an archive with a wrong checksum",
      gzipSync(damaged(tar([{ path: "a", text: "" }]), 10)),
      "not a tar archive",
    ],
    [
      "an archive with a truncated entry",
      gzipSync(tar([{ path: "a", text: "x".repeat(9999) }]).subarray(0, 2048)),
      "not a tar archive",
    ],
    [
      "an archive with an entry size that is too large",
      tarGz([{ path: "a", text: "", size: 10 ** 9 }]),
      "not a tar archive",
    ],
    ["an archive without entries", tarGz([]), "it contains no files"],
    ["an archive that contains only folders", tarGz([{ path: "a/", type: "5" }]), "it contains no files"],
    ["an archive that is compressed twice", gzipSync(tarGz([{ path: "a", text: "" }])), "compressed twice"],
  ])("rejects a file that is not a valid archive: %s", async (_what, archive, reason) => {
    expect(await unpacked(archive)).toContain(reason);
  });
});

describe("a limit for an archive", () => {
  test("applies to the compressed size while data arrives", async () => {
    // Incompressible data; only its size matters.
    const text = execFileSync("head", ["-c", "8192", "/dev/urandom"]);
    expect(await unpacked(tarGz([{ path: "a", text }]), small)).toMatch(/^The upload is larger than 4 KiB/);
  });

  test.each([
    ["a file", tarGz([{ path: "a", text: Buffer.alloc(10 ** 6) }])],
    [
      "padding after the end of the archive",
      gzipSync(Buffer.concat([tar([{ path: "a", text: "" }]), Buffer.alloc(10 ** 6)])),
    ],
    ["the metadata of an entry", tarGz([{ path: "x", type: "x", text: Buffer.alloc(10 ** 6) }])],
  ])("applies to the uncompressed size: %s", async (_what, archive) => {
    expect(archive.length).toBeLessThan(small.bytes);
    expect(await unpacked(archive, small)).toBe(
      "The archive was rejected: it is larger than 64 KiB when unpacked.",
    );
  });

  test("applies to the metadata of an entry, which is kept in memory", async () => {
    const described = tarGz([
      { path: "x", type: "x", text: Buffer.alloc(2 * 1024 ** 2) },
      { path: "a", text: "" },
    ]);
    expect(await unpacked(described)).toContain("is of an unknown type");
  });

  test("applies to the number of files and folders, and to their depth", async () => {
    const many = (count: number): Buffer =>
      tarGz(
        Array.from({ length: count }, (_, index) => ({ path: `d${index}/`, type: index > 0 ? "5" : "0" })),
      );
    expect(await unpacked(many(11), small)).toBe(
      "The archive was rejected: it has more than 10 files and folders.",
    );
    const implied = Array.from({ length: 4 }, (_, index) => ({ path: `d${index}/a/b/c`, text: "" }));
    expect(await unpacked(tarGz(implied), small)).toContain("more than 10 files and folders");
    expect(await unpacked(tarGz([{ path: "a/b/c/d/e/f", text: "" }]), small)).toBe(
      "The archive was rejected: 'a/b/c/d/e/f' is nested more than 5 folders deep.",
    );
    expect(
      await unpacked(tarGz(Array.from({ length: 10 }, (_, n) => ({ path: `f${n}` }))), small),
    ).toHaveLength(10);
  });
});

/** Returns an entry that specifies the name of the next entry. */
function longName(name: string): Entry {
  return { path: "././@LongLink", type: "L", text: `${name}\0` };
}

function damaged(archive: Buffer, at = archive.length - 12): Buffer {
  const changed = Buffer.from(archive);
  changed[at] = changed[at]! ^ 0xff;
  return changed;
}
