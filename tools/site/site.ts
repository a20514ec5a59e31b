import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, type RunOptions } from "../process";
import { repositoryRoot } from "../repository";
import { packageSchemaPath } from "../schemas/package-schema";
import { contentsPath, routeOf, sectionsOf, type Section } from "./contents";
import { pageOf, repositoryUrl, withTabs } from "./markdown";
import { indexPage, referencePages } from "./reference/pages";
import type { PackageSchema } from "./reference/schema";

const vitepress = join(repositoryRoot, "node_modules", "vitepress", "bin", "vitepress.js");
/** Files that contain the program of an example. */
const programs = [
  { file: "index.ts", language: "ts" },
  { file: "program.mjs", language: "js" },
  { file: "__main__.py", language: "python" },
];

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

/** Returns the sections of the site in reading order. */
export function siteSections(): Section[] {
  return sectionsOf(read(contentsPath));
}

/** Returns the generated pages of the "Reference" section. */
function reference() {
  return referencePages(JSON.parse(read(packageSchemaPath)) as PackageSchema);
}

/** Writes the source of the site to a folder, which must be in the repository so that VitePress finds its packages. */
export function writeSource(folder: string): void {
  const sections = siteSections();
  const settings = join(folder, ".vitepress");
  cpSync(join(__dirname, "vitepress"), settings, { recursive: true });
  writeFileSync(join(settings, "data.json"), JSON.stringify(configuration(sections)));
  cpSync(join(repositoryRoot, "docs", "images"), join(folder, "images"), { recursive: true });
  cpSync(join(repositoryRoot, "docs", "images", "logo.svg"), join(folder, "public", "logo.svg"));
  writePages(folder, sections);
  const groups = reference();
  for (const { route, text } of [indexPage(groups), ...groups.flatMap(({ pages }) => pages)])
    writeChanged(join(folder, route), withTabs(text));
}

/** Writes the pages whose text has changed. */
export function writePages(folder: string, sections = siteSections()): void {
  const home = { title: "Documentation", description: "", source: contentsPath, route: "index.md" };
  const listed = sections.flatMap(({ pages }) => pages);
  const sources = new Set([contentsPath, ...listed.map(({ source }) => source)]);
  for (const { description, source, route } of [home, ...listed]) {
    const frontMatter =
      description === ""
        ? ""
        : `---\ndescription: ${JSON.stringify(description.replaceAll("`", ""))}\n---\n\n`;
    const text = pageOf(source, read(source), sources);
    writeChanged(join(folder, route), [frontMatter + text, ...programOf(source)].join("\n"));
  }
}

/** Returns a section with the program of an example, whose README is a page. */
function programOf(source: string): string[] {
  const [, folder] = /^(examples\/.*)\/README\.md$/.exec(source) ?? [];
  if (folder === undefined) return [];
  const program = programs.find(({ file }) => existsSync(join(repositoryRoot, folder, file)));
  if (program === undefined) return [];
  const path = `${folder}/${program.file}`;
  const link = `[\`${path}\`](${repositoryUrl}/blob/main/${path})`;
  return ["## Program", "", link, "", `\`\`\`${program.language}`, read(path).trimEnd(), "```", ""];
}

function writeChanged(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    if (readFileSync(file, "utf8") === text) return;
  } catch {
    // The file is new.
  }
  writeFileSync(file, text);
}

/** Returns the part of the VitePress configuration that depends on the pages. */
function configuration(sections: Section[]) {
  const linkOf = (route: string) => `/${route.replace(/(index)?\.md$/, "")}`;
  const itemOf = ({ title, route }: { title: string; route: string }) => ({
    text: title,
    link: linkOf(route),
  });
  const groupOf = ({ title, pages }: { title: string; pages: { title: string; route: string }[] }) => ({
    text: title,
    items: pages.map(itemOf),
  });
  const documents = { title: "Documentation", route: "index.md" };
  const index = { title: "API reference", route: "reference/index.md" };
  return {
    sidebar: {
      "/": sections.map((section) =>
        groupOf(section.title === "Reference" ? { ...section, pages: [index, ...section.pages] } : section),
      ),
      "/reference/": [
        { text: "Reference", items: [itemOf(documents), itemOf(index)] },
        ...reference().map(groupOf),
      ],
    },
    nav: [
      ...["Start", "Guides"].flatMap((title) => {
        const [page] = sections.find((section) => section.title === title)?.pages ?? [];
        return page ? [{ text: title, link: linkOf(page.route) }] : [];
      }),
      { text: "Reference", link: linkOf(index.route) },
      { text: "Changelog", link: linkOf(routeOf("CHANGELOG.md")) },
    ],
    repositoryUrl,
  };
}

/** Options of `buildSite`. */
export interface SiteOptions extends Pick<RunOptions, "signal"> {
  /** Path of the site on its host, with a slash at both ends. */
  base?: string;
}

/**
 * Builds the site into a folder. If a link is broken or a page is invalid, throws an error with the output of
 * VitePress.
 */
export async function buildSite(output: string, { base = "/", signal }: SiteOptions = {}): Promise<void> {
  const source = join(repositoryRoot, ".agentserver", `site-source-${process.pid}`);
  try {
    writeSource(source);
    const result = await run(
      process.execPath,
      [vitepress, "build", source, "--base", base, "--outDir", output, "--emptyOutDir"],
      { cwd: source, signal },
    );
    if (result.code !== 0) throw new Error(`The site could not be built:\n${result.stdout}${result.stderr}`);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}

/** Serves the source of the site for development until the signal aborts. */
export async function serveSite(source: string, args: string[], signal: AbortSignal): Promise<number> {
  const { code } = await run(process.execPath, [vitepress, "dev", source, ...args], { signal, show: true });
  return code ?? 1;
}
