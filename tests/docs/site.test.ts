import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSite, siteSections } from "../../tools/site/site";

const host = "http://site.example";
const base = "/docs/";
const output = mkdtempSync(join(tmpdir(), "agentserver-site-"));
const built = (...extensions: string[]) =>
  globSync(`**/*.{${extensions.join(",")},}`, { cwd: output }).map((path) => ({
    path,
    text: readFileSync(join(output, path), "utf8"),
  }));

beforeAll(() => buildSite(output, { base }));
afterAll(() => rmSync(output, { recursive: true }));

/** Returns the values of one attribute in all elements with these names. */
function attributesOf(html: string, elements: string, attribute: string): string[] {
  const pattern = new RegExp(`<(?:${elements})\\b[^>]*?\\s${attribute}="([^"]*)"`, "g");
  return [...html.matchAll(pattern)].map(([, value]) => value!);
}

test("builds a page for every document", () => {
  const pages = new Set(built("html").map(({ path }) => path));
  const routes = siteSections().flatMap((section) => section.pages.map(({ route }) => route));
  expect(routes.map((route) => route.replace(/md$/, "html")).filter((path) => !pages.has(path))).toEqual([]);
});

test("contains only links to existing pages, files, and anchors", () => {
  const pages = new Map(
    built("html").map(({ path, text }) => [
      path,
      { links: attributesOf(text, "a", "href"), ids: new Set(attributesOf(text, "\\w+", "id")) },
    ]),
  );
  const files = new Set(globSync("**", { cwd: output }));
  const isValid = (page: string, link: string) => {
    const { origin, pathname, hash } = new URL(link, `${host}${base}${page}`);
    if (origin !== host) return true;
    const path = decodeURI(pathname.replace(/\/$/, "/index.html"));
    if (!path.startsWith(base)) return false;
    const file = path.slice(base.length);
    return files.has(file) && (hash === "" || pages.get(file)!.ids.has(decodeURI(hash.slice(1))));
  };
  const faults = [...pages].flatMap(([page, { links }]) =>
    links.filter((link) => !isValid(page, link)).map((link) => `${page}: ${link}`),
  );
  expect(faults).toEqual([]);
  expect(pages.get("index.html")!.links.length).toBeGreaterThan(20);
});

test("loads scripts, styles, fonts, and images only from its own host", () => {
  const html = built("html").flatMap(({ text }) => [
    ...attributesOf(text, "script|img|iframe|source|video", "src"),
    ...attributesOf(text, "link", "href"),
  ]);
  const css = built("css").flatMap(({ text }) =>
    [...text.matchAll(/(?:url\(|@import )["']?([^"')]*)/g)].map(([, url]) => url!),
  );
  const js = built("js").flatMap(({ text }) =>
    [...text.matchAll(/\b(?:fetch|import|WebSocket|EventSource|sendBeacon)\(\s*["'`]([^"'`]*)/g)].map(
      ([, url]) => url!,
    ),
  );
  const loaded = [...html, ...css, ...js];
  expect(loaded.filter((url) => /^(https?:)?\/\//.test(url))).toEqual([]);
  expect(html.length).toBeGreaterThan(100);
  expect(css.length + js.length).toBeGreaterThan(0);
});
