/**
 * Returns the size of a JSON object in bytes, in the encoding that the engine uses for properties
 * (`google.protobuf.Struct`).
 */
export function encodedSize(fields: object): number {
  return sum(
    Object.entries(fields).map(([key, value]) =>
      delimited(delimited(Buffer.byteLength(key)) + delimited(valueSize(value))),
    ),
  );
}

function valueSize(value: unknown): number {
  if (typeof value === "number") return 9;
  if (typeof value === "string") return delimited(Buffer.byteLength(value));
  if (Array.isArray(value)) return delimited(sum(value.map((item) => delimited(valueSize(item)))));
  return typeof value === "object" && value !== null ? delimited(encodedSize(value)) : 2;
}

/** Returns the size of a length-delimited field: its tag, its length, and its bytes. */
function delimited(bytes: number): number {
  const lengthBytes = Math.max(1, Math.ceil((32 - Math.clz32(bytes)) / 7));
  return 1 + lengthBytes + bytes;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
