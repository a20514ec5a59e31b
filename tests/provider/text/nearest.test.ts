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
])("responds to %j with the suggestion %j", (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
