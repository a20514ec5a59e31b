import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";
import { routeOf, sectionsOf } from "../../../tools/site/contents";
import { siteSections } from "../../../tools/site/site";

const sections = siteSections();
const sources = sections.flatMap(({ pages }) => pages.map(({ source }) => source));

/** Pages of the Pulumi Registry, which has its own navigation. */
const registryPages = ["docs/_index.md", "docs/installation-configuration.md"];

test("lists every document exactly once", () => {
  const documents = globSync(
    ["docs/**/*.md", "{emulator,policies,examples/*}/*.md", "{CHANGELOG,CONTRIBUTING,SECURITY}.md"],
    { cwd: repositoryRoot },
  ).filter((path) => path !== "docs/README.md" && !registryPages.includes(path));
  expect([...sources].sort()).toEqual(documents.sort());
});

test("lists only existing documents, and gives each a separate page", () => {
  expect(sources.filter((source) => !existsSync(join(repositoryRoot, source)))).toEqual([]);
  expect(new Set(sources.map(routeOf)).size).toBe(sources.length);
});

test("lists the sections in the intended reading order", () => {
  const order = [
    "Get started",
    "Deploying to LangSmith",
    "Concepts",
    "Guides",
    "Examples",
    "Reference",
    "Limits and compatibility",
    "Reliability",
    "Performance",
    "Comparison",
    "Project",
  ];
  const titles = sections.map(({ title }) => title);
  expect(titles).toEqual(order.filter((title) => titles.includes(title)));
  expect(titles.length).toBeGreaterThan(6);
  expect(sections.filter(({ pages }) => pages.length === 0)).toEqual([]);
});

test("parses section titles, links, and descriptions that span several lines", () =>
  expect(
    sectionsOf(
      "# Documents\n\n## Start\n\n- [The `cli`](cli.md): all `commands`\n  and options.\n- no link\n\n## More\n\n- [P](../policies/README.md): rules.\n",
    ),
  ).toEqual([
    {
      title: "Start",
      pages: [
        {
          title: "The cli",
          description: "all `commands` and options.",
          source: "docs/cli.md",
          route: "cli.md",
        },
      ],
    },
    {
      title: "More",
      pages: [{ title: "P", description: "rules.", source: "policies/README.md", route: "policies.md" }],
    },
  ]));

test("maps documents to short paths", () =>
  expect(["docs/README.md", "docs/errors.md", "policies/README.md", "CHANGELOG.md"].map(routeOf)).toEqual([
    "index.md",
    "errors.md",
    "policies.md",
    "changelog.md",
  ]));
