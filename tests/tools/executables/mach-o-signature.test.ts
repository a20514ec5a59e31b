import { createHash } from "node:crypto";
import { withAdHocSignature } from "../../../tools/executables/mach-o-signature";

/** Returns a Mach-O file with the segments `__TEXT` and `__LINKEDIT`, and room for one more load command. */
function program(room = 16): Buffer {
  const file = Buffer.alloc(10_001, 7);
  const commandsSize = 72 + 80 + 72;
  // Header: 64 bits, arm64, an executable with two load commands.
  [0xfeedfacf, 0x0100000c, 0, 2, 2, commandsSize, 0, 0].forEach((word, index) =>
    file.writeUInt32LE(word, 4 * index),
  );
  const segment = (at: number, size: number, name: string, place: [offset: number, size: number]) => {
    file.fill(0, at, at + size);
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(size, at + 4);
    file.write(name, at + 8);
    file.writeBigUInt64LE(16_384n, at + 32);
    file.writeBigUInt64LE(BigInt(place[0]), at + 40);
    file.writeBigUInt64LE(BigInt(place[1]), at + 48);
  };
  segment(32, 72 + 80, "__TEXT", [0, 8_192]);
  // The code begins after the load commands.
  file.writeUInt32LE(32 + commandsSize + room, 32 + 72 + 48);
  segment(32 + 72 + 80, 72, "__LINKEDIT", [8_192, file.length - 8_192]);
  return file;
}

test("adds a signature that contains the hash of every page of the file", () => {
  const unsigned = program();
  const signed = withAdHocSignature(unsigned, "name");

  // The third load command points to the signature, which is at the end of the file and of the last segment.
  expect([signed.readUInt32LE(16), signed.readUInt32LE(20)]).toEqual([3, 72 + 80 + 72 + 16]);
  const command = 32 + 72 + 80 + 72;
  expect([signed.readUInt32LE(command), signed.readUInt32LE(command + 4)]).toEqual([0x1d, 16]);
  const [start, size] = [signed.readUInt32LE(command + 8), signed.readUInt32LE(command + 12)];
  expect(start).toBe(10_016);
  expect(start + size).toBe(signed.length);
  const linkEdit = 32 + 72 + 80;
  expect(Number(signed.readBigUInt64LE(linkEdit + 48))).toBe(signed.length - 8_192);
  expect(Number(signed.readBigUInt64LE(linkEdit + 32))).toBe(16_384);
  expect(signed.subarray(command + 16, unsigned.length)).toEqual(unsigned.subarray(command + 16));

  const blob = signed.subarray(start);
  expect(blob.toString("hex", 0, 4)).toBe("fade0cc0");
  expect([8, 12, 16].map((at) => blob.readUInt32BE(at))).toEqual([1, 0, 20]);
  const directory = blob.subarray(20, blob.readUInt32BE(4));
  expect(directory.toString("hex", 0, 4)).toBe("fade0c02");
  expect(directory.readUInt32BE(4)).toBe(directory.length);
  // Ad hoc; SHA-256; pages of 4 KiB; the code is that of a main binary.
  expect(directory.readUInt32BE(12)).toBe(2);
  expect([...directory.subarray(36, 40)]).toEqual([32, 2, 0, 12]);
  expect([64, 72, 80].map((at) => Number(directory.readBigUInt64BE(at)))).toEqual([0, 8_192, 1]);
  const identifier = directory.readUInt32BE(20);
  expect(directory.toString("latin1", identifier, identifier + 5)).toBe("name\0");
  const hashes = directory.subarray(directory.readUInt32BE(16));
  const pages = [
    [0, 4_096],
    [4_096, 8_192],
    [8_192, 10_016],
  ].map(([from, to]) => createHash("sha256").update(signed.subarray(from, to)).digest("hex"));
  expect([directory.readUInt32BE(28), directory.readUInt32BE(32)]).toEqual([3, 10_016]);
  expect(hashes.toString("hex")).toBe(pages.join(""));
});

test.each([
  ["is in another format", Buffer.alloc(64), "The file is not in the Mach-O format."],
  ["is already signed", withAdHocSignature(program(), "name"), "The file already has a signature."],
  ["has no room for a load command", program(15), "The file has no room for a signature."],
])("rejects a file that %s", (_, file, message) =>
  expect(() => withAdHocSignature(file, "name")).toThrow(message),
);
