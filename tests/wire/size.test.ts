import { sizeText } from "../../wire";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [900, "900 bytes"],
  [1023, "1 KiB"],
  [1024, "1 KiB"],
  [1536, "1.5 KiB"],
  [1024 ** 2 - 1, "1 MiB"],
  [1024 ** 3 - 1, "1 GiB"],
  [200 * 1024 ** 2, "200 MiB"],
  [12_345_678, "11.8 MiB"],
  [1024 ** 3, "1 GiB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
