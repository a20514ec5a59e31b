import { relativeLinks, withAbsoluteLinks } from "../../../tools/release/readme";
import { temporaryFolder } from "../temporary-folder";

const repository = "https://github.com/owner/name";

const root = temporaryFolder({
  LICENSE: "",
  "docs/guide.md": "",
  "docs/picture.png": "",
  "extra/README.md": "",
});
const address = { root, repository, tag: "v1.2.0" };

test.each([
  [
    "[`guide`](docs/guide.md#part)",
    "[`guide`](https://github.com/owner/name/blob/v1.2.0/docs/guide.md#part)",
  ],
  ["[docs](docs/)", "[docs](https://github.com/owner/name/tree/v1.2.0/docs)"],
  ["![picture](docs/picture.png)", "![picture](https://github.com/owner/name/raw/v1.2.0/docs/picture.png)"],
  ['<img src="docs/picture.png">', '<img src="https://github.com/owner/name/raw/v1.2.0/docs/picture.png">'],
  ["[guide]: docs/guide.md", "[guide]: https://github.com/owner/name/blob/v1.2.0/docs/guide.md"],
])("converts the relative link in %s to a URL", (text, expected) => {
  expect(relativeLinks(text)).toHaveLength(1);
  expect(withAbsoluteLinks(text, "", address)).toBe(expected);
});

test("resolves links from the folder of the document", () => {
  expect(withAbsoluteLinks("[license](../LICENSE)", "extra", address)).toBe(
    "[license](https://github.com/owner/name/blob/v1.2.0/LICENSE)",
  );
});

test.each([
  "[site](https://example.com/a.md) and [below](#below)",
  "`[a](docs/missing.md)`",
  "```md\n[a](docs/missing.md)\n```\n",
])("does not change %s", (text) => {
  expect(relativeLinks(text)).toEqual([]);
  expect(withAbsoluteLinks(text, "", address)).toBe(text);
});

test("rejects a link to a missing file", () => {
  expect(() => withAbsoluteLinks("[a](docs/missing.md)", "", address)).toThrow(
    /links to docs\/missing\.md, which does not exist\.$/,
  );
});
