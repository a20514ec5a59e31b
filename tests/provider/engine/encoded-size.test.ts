import { fc } from "../../properties";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { encodedSize } from "../../../provider/engine/encoded-size";

test("returns the length of the encoding", () => {
  const json = fc.jsonValue({ stringUnit: "grapheme", maxDepth: 4 });
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), json), (fields) => {
      // The encoding omits only this name.
      fc.pre(!JSON.stringify(fields).includes("__proto__"));
      const plain = JSON.parse(JSON.stringify(fields)) as Record<string, JavaScriptValue>;
      expect(encodedSize(plain)).toBe(Struct.fromJavaScript(plain).serializeBinary().length);
    }),
  );
});

test.each([127, 128, 16_383, 16_384, 2_097_151, 2_097_152])(
  "returns the encoded length of a string of %i bytes",
  (length) => {
    const fields = { text: "x".repeat(length) };
    expect(encodedSize(fields)).toBe(Struct.fromJavaScript(fields).serializeBinary().length);
  },
);
