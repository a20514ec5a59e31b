import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../tools/repository";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const schema = JSON.parse(read("schemas/agentserver.json")) as {
  displayName: string;
  description: string;
  publisher: string;
  logoUrl: string;
  keywords: string[];
  config: { variables: Record<string, unknown> };
};

test.each(["docs/_index.md", "docs/installation-configuration.md"])(
  "has the front matter that the registry requires: %s",
  (path) => {
    const [, matter = ""] = /^---\n(.*?)\n---\n/s.exec(read(path)) ?? [];
    const { title, meta_desc: description, layout } = parse(matter) as Record<string, string>;
    expect(title).toContain(schema.displayName);
    expect(description!.length).toBeLessThanOrEqual(160);
    expect(layout).toBe("package");
  },
);

test.each(["docs/installation-configuration.md", "docs/configuration.md"])(
  "lists every setting of the provider in %s",
  (path) => {
    const listed = [...read(path).matchAll(/^\| `agentserver:(\w+)`/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.keys(schema.config.variables).sort());
  },
);

test("has the metadata that the registry shows", () => {
  expect(schema).toMatchObject({
    description: expect.stringMatching(/\w/),
    publisher: expect.stringMatching(/\w/),
    logoUrl: expect.stringMatching(/\.(svg|png)$/),
    keywords: expect.arrayContaining([
      expect.stringMatching(/^category\//),
      expect.stringMatching(/^kind\//),
    ]),
  });
});
