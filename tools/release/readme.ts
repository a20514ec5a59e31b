import { statSync } from "node:fs";
import { join, normalize } from "node:path";

/** Repository and tag that contain a release's files. */
export interface FileAddress {
  /** Path of the repository on this machine. */
  root: string;
  /** URL of the repository on its host. */
  repository: string;
  tag: string;
}

/** Pattern for links and images in Markdown and HTML: the text before the target, and the target. */
const links = /(\]\(\s*|^\[[^\]]+\]:\s+|<(?:img|a)\b[^>]*?\b(?:src|href)=")([^)\s"]+)/gm;

const image = /\.(gif|jpe?g|png|svg|webp)$/i;

/**
 * Returns a document with its relative links replaced with links to the files of the release, because relative links do
 * not work on the page of a package or of a release.
 * @param folder folder of the document, relative to the root
 * @throws Error if a file does not exist
 */
export function withAbsoluteLinks(text: string, folder: string, address: FileAddress): string {
  return outsideCode(text, (part) =>
    part.replace(links, (match, start: string, link: string) =>
      isAbsolute(link) ? match : start + absolute(link, folder, address),
    ),
  );
}

/** Returns the relative links in a document. */
export function relativeLinks(text: string): string[] {
  const found: string[] = [];
  outsideCode(text, (part) => {
    for (const [, , link] of part.matchAll(links)) found.push(link!);
    return part;
  });
  return found.filter((link) => !isAbsolute(link));
}

function isAbsolute(link: string): boolean {
  return /^([a-z][a-z+.-]*:|#)/i.test(link);
}

function absolute(link: string, folder: string, { root, repository, tag }: FileAddress): string {
  const [file = "", anchor] = link.split("#");
  const path = normalize(join(folder, file)).replace(/\/$/, "");
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) throw new Error(`A document in ${join(root, folder)} links to ${link}, which does not exist.`);
  const view = image.test(path) ? "raw" : found.isDirectory() ? "tree" : "blob";
  return `${repository}/${view}/${tag}/${path}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** Replaces the parts of a Markdown document that are neither code blocks nor code spans. */
function outsideCode(text: string, replace: (part: string) => string): string {
  return text
    .split(/(^```[^]*?^```|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join("");
}
