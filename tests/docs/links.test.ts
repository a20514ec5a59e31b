import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import GithubSlugger from "github-slugger";
import MarkdownIt from "markdown-it";
import { repositoryRoot } from "../../tools/repository";
import { markdown, type Document } from "./documents";

/** Contents of a document: its links, and the anchors of its headings. */
interface Content {
  links: string[];
  anchors: Set<string>;
}

const parser = new MarkdownIt({ html: true });

function contentOf({ text }: Document): Content {
  const slugs = new GithubSlugger();
  const links: string[] = [];
  const anchors = new Set<string>();
  const tokens = parser.parse(text, {});
  tokens.forEach(({ type, children }, place) => {
    if (type === "heading_open") anchors.add(slugs.slug(plain(tokens[place + 1]!)));
    for (const child of children ?? [])
      for (const name of ["href", "src"]) {
        const target = child.attrGet(name);
        if (target !== null) links.push(decodeURI(String(target)));
      }
  });
  return { links, anchors };
}

/** Returns the text of a heading. */
function plain(token: ReturnType<typeof parser.parse>[number]): string {
  return (token.children ?? []).map(({ content }) => content).join("");
}

const contents = new Map(markdown.map((document) => [document.path, contentOf(document)]));

/** Returns the problem with a link, or `undefined` if the link is valid or points to another host. */
function faultOf(from: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : normalize(join(dirname(from), file)).replace(/\/$/, "");
  if (!existsSync(join(repositoryRoot, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || contents.get(target)?.anchors.has(anchor)) return undefined;
  return `${link}: ${target} has no heading of that anchor`;
}

test.each([...contents])("contains only valid links in %s", (path, { links }) =>
  expect(links.flatMap((link) => faultOf(path, link) ?? [])).toEqual([]),
);

test("includes the links in the README and in subfolders in this check", () => {
  expect(contents.get("README.md")!.links).toContain("docs/reliability.md#deployment-ownership");
  expect(contents.get("docs/errors.md")!.links.length).toBeGreaterThan(2);
});
