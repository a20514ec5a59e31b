import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { list } from "tar";

/** File in an archive. */
export interface ArchivedFile {
  path: string;
  /** Size of the file in bytes. */
  size: number;
}

/** Contents of an archive. */
export interface Archive {
  /** Files in the archive, sorted by path, without folders. */
  files: ArchivedFile[];
  /** Text of the files that were requested, keyed by path. */
  texts: Record<string, string>;
}

/**
 * Reads a tar or zip archive.
 * @param isText true for the path of a file whose content is requested
 */
export async function readArchive(file: string, isText: (path: string) => boolean): Promise<Archive> {
  const { files, texts } = /\.(whl|zip)$/.test(file)
    ? readZip(readFileSync(file), isText)
    : await readTar(file, isText);
  return { files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), texts };
}

async function readTar(file: string, isText: (path: string) => boolean): Promise<Archive> {
  const files: ArchivedFile[] = [];
  const parts: Record<string, Buffer[]> = {};
  await list({
    file,
    onReadEntry: (entry) => {
      if (entry.type === "Directory") return;
      files.push({ path: entry.path, size: entry.size });
      if (!isText(entry.path)) return;
      const chunks: Buffer[] = (parts[entry.path] = []);
      entry.on("data", (chunk) => chunks.push(chunk));
    },
  });
  const texts = Object.entries(parts).map(([path, chunks]) => [path, Buffer.concat(chunks).toString()]);
  return { files, texts: Object.fromEntries(texts) as Record<string, string> };
}

const zip = { end: 0x06054b50, entry: 0x02014b50, endSize: 22, entrySize: 46, headerSize: 30, deflated: 8 };

function readZip(content: Buffer, isText: (path: string) => boolean): Archive {
  let end = content.length - zip.endSize;
  while (end >= 0 && content.readUInt32LE(end) !== zip.end) end -= 1;
  if (end < 0) throw new Error("The file is not a zip archive.");
  const archive: Archive = { files: [], texts: {} };
  let offset = content.readUInt32LE(end + 16);
  for (let count = content.readUInt16LE(end + 10); count > 0; count -= 1) {
    const field = (at: number) => content.readUInt16LE(offset + at);
    const [nameSize, extraSize, commentSize] = [field(28), field(30), field(32)];
    const name = offset + zip.entrySize;
    const path = content.toString("utf8", name, name + nameSize);
    if (!path.endsWith("/")) archive.files.push({ path, size: content.readUInt32LE(offset + 24) });
    if (isText(path)) {
      const header = content.readUInt32LE(offset + 42);
      const start =
        header + zip.headerSize + content.readUInt16LE(header + 26) + content.readUInt16LE(header + 28);
      const data = content.subarray(start, start + content.readUInt32LE(offset + 20));
      archive.texts[path] = (field(10) === zip.deflated ? inflateRawSync(data) : data).toString();
    }
    offset = name + nameSize + extraSize + commentSize;
  }
  return archive;
}
