import { dirname, join, normalize, relative } from "node:path/posix";
import { routeOf } from "./contents";

/** Address of the repository, for links to files that are not pages of the site. */
export const repositoryUrl = "https://github.com/pulumi-agentserver/pulumi-agentserver";

/** Folder whose files are copied to the site. */
const images = "docs/images/";

/** Names of the tabs, by language of the code block. */
const tabs: Record<string, string> = {
  ts: "TypeScript",
  typescript: "TypeScript",
  python: "Python",
  yaml: "YAML",
  go: "Go",
};

/** Returns the Markdown of a page. `pages` contains the paths of all documents that are pages. */
export function pageOf(source: string, text: string, pages: ReadonlySet<string>): string {
  return withTabs(withLinks(source, text, pages));
}

/** Replaces links to other pages, images, and files in the repository, except in code blocks. */
function withLinks(source: string, text: string, pages: ReadonlySet<string>): string {
  const replaced = (target: string) => linkOf(source, target, pages);
  return outsideOfCode(text, (prose) =>
    prose.replace(/(?<=\]\()[^)\s]+(?=\))/g, replaced).replace(/(?<=\b(?:href|src)=")[^"]+(?=")/g, replaced),
  );
}

function linkOf(source: string, target: string, pages: ReadonlySet<string>): string {
  if (/^([a-z]+:|#)/i.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const file = normalize(join(dirname(source), path)).replace(/\/$/, "");
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  const from = dirname(routeOf(source));
  const toPage = (route: string) => {
    const link = relative(from, route);
    return `${link.startsWith(".") ? "" : "./"}${link}${suffix}`;
  };
  const folderPage = [file, `${file}/README.md`].find((one) => pages.has(one));
  if (folderPage !== undefined) return toPage(routeOf(folderPage));
  if (file.startsWith(images)) return toPage(routeOf(file));
  const isFile = /\.[^/]+$|(^|\/)[A-Z][^/.]*$/.test(file);
  return `${repositoryUrl}/${isFile ? "blob" : "tree"}/main/${file}${suffix}`;
}

/** Applies a function to the text between code blocks. */
function outsideOfCode(text: string, replace: (prose: string) => string): string {
  return text
    .split(/^( *```[^]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join("");
}

/** Combines consecutive code blocks in different languages into tabs. GitHub displays them one after another. */
export function withTabs(commented: string): string {
  const text = commented.replace(/^<!-- from \S+ -->\n(?=```)/gm, "");
  const block = "```(?:ts|typescript|python|yaml|go)\\n(?:(?!```)[^\\n]*\\n)*```\\n";
  return text.replace(new RegExp(`(?:^${block}\\n?){2,}`, "gm"), (blocks) => {
    const labels = [...blocks.matchAll(/^```(\w+)$/gm)].map(([, language]) => tabs[language!]!);
    if (new Set(labels).size < labels.length) return blocks;
    const labeled = blocks.replace(
      /^```(\w+)$/gm,
      (fence, language: string) => `${fence} [${tabs[language]}]`,
    );
    return `::: code-group\n\n${labeled.trimEnd()}\n\n:::\n\n`;
  });
}
