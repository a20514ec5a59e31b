import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";

const images = join(repositoryRoot, "docs", "images");
const diagrams = globSync("**/*.svg", { cwd: images })
  .filter((path) => path !== "logo.svg")
  .sort()
  .map((path) => ({ path, text: readFileSync(join(images, path), "utf8") }));

test.each(diagrams)(
  "makes $path accessible to screen readers, and readable in the dark theme",
  ({ text }) => {
    expect(text).toMatch(/<svg [^>]*role="img" aria-labelledby="title description">/);
    expect(text).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/);
    // Readers can select a theme other than that of their system, so the image needs its own background.
    expect(text).toMatch(/<rect class="background"/);
    const [, dark = ""] = text.split("@media (prefers-color-scheme: dark)");
    for (const rule of ["text { fill:", ".background { fill:"]) expect(dark).toContain(rule);
  },
);

test.each(diagrams)("loads no external resources in $path", ({ text }) => {
  expect(text).not.toMatch(/<(?:image|script|foreignObject)|href|url\(|@import/);
});

test("contains one diagram per concept", () => {
  const [, ...sections] = readFileSync(join(repositoryRoot, "docs", "concepts.md"), "utf8").split(/^## /m);
  const found = sections.map((section) => ({
    name: section.split("\n")[0]!.toLowerCase(),
    diagrams: [...section.matchAll(/!\[[^\]]{20,}\]\(images\/concepts\/(\w+)\.svg\)/g)].map(
      ([, name]) => name,
    ),
  }));
  expect(found).toHaveLength(7);
  for (const { name, diagrams: own } of found) expect(own).toEqual([name]);
});
