import { gzipSync } from "node:zlib";

/** An archive entry, as described by its header. */
export interface Entry {
  path: string;
  /**
   * Type flag: `0` for a file, `1` for a hard link, `2` for a symbolic link, `3` and `4` for devices, `5` for a folder,
   * `6` for a pipe.
   */
  type?: string;
  text?: string | Buffer;
  linksTo?: string;
  mode?: number;
  /** Size to write to the header, if it should differ from the actual size. */
  size?: number;
}

/** Creates a tar archive in POSIX ustar format. */
export function tar(entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]);
}

/** Creates a gzip-compressed tar archive. */
export function tarGz(entries: readonly Entry[]): Buffer {
  return gzipSync(tar(entries));
}

/** Creates an archive that contains the files of a project. */
export function archiveOf(files: Record<string, string>): Buffer {
  return tarGz(Object.entries(files).map(([path, text]) => ({ path, text })));
}

function blocksOf({ path, type = "0", text = "", linksTo = "", mode = 0o644, size }: Entry): Buffer[] {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write(path, 0, 100);
  header.write(octal(mode, 8) + octal(0, 8) + octal(0, 8), 100);
  header.write(octal(size ?? content.length, 12) + octal(1_700_000_000, 12), 124);
  header.write(" ".repeat(8) + type, 148);
  header.write(linksTo, 157, 100);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}
