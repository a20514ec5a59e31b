import { dirname, join, normalize } from "node:path/posix";
import MarkdownIt from "markdown-it";

/** Document of the repository that is a page of the site. */
interface Page {
  title: string;
  /** Description of the page in one sentence of Markdown. */
  description: string;
  /** Path of the document from the root of the repository. */
  source: string;
  /** Path of the page from the root of the site, ending in `.md`. */
  route: string;
}

/** Section of the documentation, with its pages in reading order. */
export interface Section {
  title: string;
  pages: Page[];
}

/** Document that lists the pages of the site in reading order. It is also the home page. */
export const contentsPath = "docs/README.md";

const parser = new MarkdownIt();

/**
 * Returns the sections of the list of documents. Each second-level heading is a section, and each list item that starts
 * with a link to a document is a page.
 */
export function sectionsOf(contents: string): Section[] {
  const sections: Section[] = [];
  const tokens = parser.parse(contents, {});
  tokens.forEach(({ type, tag, children, content }, index) => {
    if (type === "heading_open" && tag === "h2")
      sections.push({ title: tokens[index + 1]!.content, pages: [] });
    const [link, ...inside] = children ?? [];
    if (type !== "inline" || link?.type !== "link_open" || tokens[index - 2]?.type !== "list_item_open")
      return;
    const end = inside.findIndex((token) => token.type === "link_close");
    const title = inside
      .slice(0, end)
      .map((token) => token.content)
      .join("");
    const source = normalize(join(dirname(contentsPath), String(link.attrGet("href"))));
    const description = content
      .slice(content.indexOf("):") + 2)
      .replace(/\s+/g, " ")
      .trim();
    sections.at(-1)?.pages.push({ title, description, source, route: routeOf(source) });
  });
  return sections;
}

/**
 * Returns the path of a document's page: `docs/errors.md` becomes `errors.md`, and `policies/README.md` becomes
 * `policies.md`.
 */
export function routeOf(source: string): string {
  if (source === contentsPath) return "index.md";
  return source
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, ".md")
    .toLowerCase();
}
