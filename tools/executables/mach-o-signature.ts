import { createHash } from "node:crypto";

const magic = { machO64: 0xfeedfacf, superBlob: 0xfade0cc0, codeDirectory: 0xfade0c02 };
const command = { segment64: 0x19, codeSignature: 0x1d };
const headerSize = 32;
const codeDirectorySize = 88;
const hashSize = 32;
/** Size of the pages whose hashes the signature contains. */
const pageSize = 4_096;
/** Size of the pages in memory on Apple silicon. */
const memoryPageSize = 16_384;

/**
 * Adds an ad-hoc signature to a Mach-O file for one architecture. macOS on Apple silicon does not start a file without
 * a signature. The signature is of the kind that linkers write and that `codesign --sign -` replaces.
 * @param unsigned a file without a signature
 * @param identifier name of the program in the signature
 */
export function withAdHocSignature(unsigned: Buffer, identifier: string): Buffer {
  if (unsigned.readUInt32LE(0) !== magic.machO64) throw new Error("The file is not in the Mach-O format.");
  const commands = loadCommands(unsigned);
  if (commands.some(({ type }) => type === command.codeSignature))
    throw new Error("The file already has a signature.");
  const text = segment(unsigned, commands, "__TEXT");
  const linkEdit = segment(unsigned, commands, "__LINKEDIT");
  const end = headerSize + unsigned.readUInt32LE(20);
  const firstSection = unsigned.readUInt32LE(text.offset + 72 + 48);
  if (end + 16 > firstSection) throw new Error("The file has no room for a signature.");

  const codeLimit = aligned(unsigned.length, 16);
  const pages = Math.ceil(codeLimit / pageSize);
  const name = Buffer.from(`${identifier}\0`);
  const directorySize = codeDirectorySize + name.length + pages * hashSize;
  const size = aligned(20 + directorySize, 16);

  const signed = Buffer.alloc(codeLimit + size);
  unsigned.copy(signed);
  // LC_CODE_SIGNATURE
  [command.codeSignature, 16, codeLimit, size].forEach((value, index) =>
    signed.writeUInt32LE(value, end + 4 * index),
  );
  signed.writeUInt32LE(unsigned.readUInt32LE(16) + 1, 16);
  signed.writeUInt32LE(unsigned.readUInt32LE(20) + 16, 20);
  const linkEditSize = signed.length - linkEdit.fileOffset;
  signed.writeBigUInt64LE(BigInt(aligned(linkEditSize, memoryPageSize)), linkEdit.offset + 32);
  signed.writeBigUInt64LE(BigInt(linkEditSize), linkEdit.offset + 48);

  // A super blob with one blob, the code directory.
  const words = [
    ...[magic.superBlob, 20 + directorySize, 1, 0, 20],
    ...[magic.codeDirectory, directorySize],
    // Version 2.4, with the flag of ad-hoc signatures.
    ...[0x20400, 2],
    // Offsets of the hashes and of the identifier, and the number of hashes before and in the pages.
    ...[codeDirectorySize + name.length, codeDirectorySize, 0, pages],
    codeLimit,
    // Size of a hash, SHA-256, no platform, and the page size as a power of two.
    (hashSize << 24) | (2 << 16) | Math.log2(pageSize),
  ];
  words.forEach((value, index) => signed.writeUInt32BE(value, codeLimit + 4 * index));
  // The range of the segment that contains the code, and the flag for a main binary.
  const executable = codeLimit + 20 + 64;
  signed.writeBigUInt64BE(BigInt(text.fileOffset), executable);
  signed.writeBigUInt64BE(BigInt(text.fileSize), executable + 8);
  signed.writeBigUInt64BE(1n, executable + 16);
  name.copy(signed, codeLimit + 20 + codeDirectorySize);
  const hashes = codeLimit + 20 + codeDirectorySize + name.length;
  for (let page = 0; page < pages; page += 1) {
    const content = signed.subarray(page * pageSize, Math.min((page + 1) * pageSize, codeLimit));
    createHash("sha256")
      .update(content)
      .digest()
      .copy(signed, hashes + page * hashSize);
  }
  return signed;
}

interface LoadCommand {
  type: number;
  offset: number;
}

function loadCommands(file: Buffer): LoadCommand[] {
  const commands: LoadCommand[] = [];
  let offset = headerSize;
  for (let index = 0; index < file.readUInt32LE(16); index += 1) {
    commands.push({ type: file.readUInt32LE(offset), offset });
    offset += file.readUInt32LE(offset + 4);
  }
  return commands;
}

function segment(file: Buffer, commands: LoadCommand[], name: string) {
  const found = commands.find(
    ({ type, offset }) =>
      type === command.segment64 &&
      file.toString("latin1", offset + 8, offset + 24).replace(/\0+$/, "") === name,
  );
  if (!found) throw new Error(`The file has no segment ${name}.`);
  const { offset } = found;
  return {
    offset,
    fileOffset: Number(file.readBigUInt64LE(offset + 40)),
    fileSize: Number(file.readBigUInt64LE(offset + 48)),
  };
}

function aligned(size: number, step: number): number {
  return Math.ceil(size / step) * step;
}
