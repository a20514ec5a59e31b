import { compileFunction } from "node:vm";
import { fc } from "../../properties";
import { namePattern, namesFor } from "../../../cli/export/names";

const anyName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(
    "support-agent",
    "supportAgent",
    "Support-Agent",
    "class",
    "pulumi",
    "7",
    "__proto__",
    "a.b_c",
  ),
);

test("keeps deployment names that are valid manifest names", () => {
  const names = namesFor(["support-agent", "Größte №1", "7"]);
  expect(names).toEqual([
    { resource: "support-agent", variable: "supportAgent", file: "support-agent" },
    { resource: "Gro-te-No1", variable: "groTeNo1", file: "Gro-te-No1" },
    { resource: "7", variable: "agent7", file: "7" },
  ]);
});

test("creates unique names, ignoring case", () => {
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 20 }), (deployments) => {
      const names = namesFor(deployments);
      for (const kind of ["resource", "variable", "file"] as const) {
        const all = names.map((own) => own[kind].toLowerCase());
        expect(new Set(all).size).toBe(deployments.length);
      }
      for (const { resource, variable, file } of names) {
        expect(resource).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/);
        expect(file.length).toBeLessThan(250);
        expect(() => compileFunction(`"use strict"; const ${variable} = 1;`)).not.toThrow();
        expect(variable).toMatch(/^[A-Za-z][A-Za-z0-9]*$/);
      }
    }),
  );
});

test("matches whole names and treats only * and ? as wildcards", () => {
  const fits = (pattern: string, name: string) => namePattern(pattern).test(name);
  expect([
    fits("prod-*", "prod-a"),
    fits("prod-*", "a-prod-b"),
    fits("p?d", "pod"),
    fits("p?d", "pd"),
  ]).toEqual([true, false, true, false]);
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (name) => fits(name.replace(/[*?]/g, "?"), name)));
  expect(fits("a.b", "axb")).toBe(false);
});
