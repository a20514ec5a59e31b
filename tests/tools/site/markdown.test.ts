import { pageOf } from "../../../tools/site/markdown";

const pages = new Set(["docs/README.md", "docs/errors.md", "docs/cli.md", "policies/README.md"]);
const repository = "https://github.com/pulumi-agentserver/pulumi-agentserver";

test.each([
  ["a document in the same folder", "docs/cli.md", "errors.md", "./errors.md"],
  ["an anchor in a document", "docs/cli.md", "errors.md#facts", "./errors.md#facts"],
  ["an anchor on the same page", "docs/cli.md", "#options", "#options"],
  ["the README of a package", "docs/cli.md", "../policies/README.md", "./policies.md"],
  ["the folder of a package", "docs/cli.md", "../policies", "./policies.md"],
  ["a document from the README of a package", "policies/README.md", "../docs/errors.md", "./errors.md"],
  ["the list of documents", "docs/cli.md", "README.md", "./index.md"],
  ["an image", "CHANGELOG.md", "docs/images/logo.svg", "./images/logo.svg"],
  [
    "a file in the repository",
    "docs/cli.md",
    "../examples/ci/review.sh",
    `${repository}/blob/main/examples/ci/review.sh`,
  ],
  ["a file without an extension", "docs/cli.md", "../LICENSE", `${repository}/blob/main/LICENSE`],
  ["a folder in the repository", "docs/cli.md", "../examples/ci/", `${repository}/tree/main/examples/ci`],
  ["another site", "docs/cli.md", "https://example.com/a.md", "https://example.com/a.md"],
])("converts a link to %s", (_, source, target, link) => {
  expect(pageOf(source, `[text](${target})`, pages)).toBe(`[text](${link})`);
  expect(pageOf(source, `<a href="${target}">text</a>`, pages)).toBe(`<a href="${link}">text</a>`);
});

test("leaves code blocks unchanged", () => {
  const block = "Text\n\n```md\n[text](errors.md)\n```\n\n- item\n\n  ```md\n  [text](errors.md)\n  ```\n";
  expect(pageOf("docs/cli.md", block, pages)).toBe(block);
});

test("combines code blocks in different languages into tabs", () =>
  expect(pageOf("docs/cli.md", "A\n\n```ts\na();\n```\n\n```python\na()\n```\n\nB\n", pages)).toBe(
    "A\n\n::: code-group\n\n```ts [TypeScript]\na();\n```\n\n```python [Python]\na()\n```\n\n:::\n\nB\n",
  ));

test("ignores comments that state the source file of a code block", () =>
  expect(
    pageOf(
      "docs/cli.md",
      "<!-- from a.ts -->\n```ts\na();\n```\n\n<!-- from a.py -->\n```python\na()\n```\n",
      pages,
    ),
  ).toContain("::: code-group\n\n```ts [TypeScript]\na();\n```\n\n```python [Python]"));

test.each([
  ["the same language", "```ts\na();\n```\n\n```ts\nb();\n```\n"],
  ["no programming language", "```sh\na\n```\n\n```text\nb\n```\n"],
  ["text between them", "```ts\na();\n```\n\nB\n\n```python\na()\n```\n"],
])("does not combine code blocks with %s", (_, text) =>
  expect(pageOf("docs/cli.md", text, pages)).toBe(text),
);
