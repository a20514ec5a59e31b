import { nearest } from "../../../provider/text/nearest";

const known = ["repoUrl", "repoRef", "graphConfigPath", "dev", "prod"];

test.each([
  ["repo_url", "repoUrl"],
  ["repoURL", "repoUrl"],
  ["graphConfigPaht", "graphConfigPath"],
  ["prdo", "prod"],
  ["prd", "prod"],
  ["staging", undefined],
  ["dve", undefined],
  ["de", "dev"],
  ["", undefined],
])("suggests for %j the word %j", (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
