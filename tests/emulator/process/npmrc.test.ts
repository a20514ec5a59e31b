import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { credentialsOfNpm } from "../../../emulator/process/npmrc";
import { temporaryFolder } from "../../tools/temporary-folder";

test("finds npm credentials in .npmrc, in variables and settings, and in proxy URLs", () => {
  const HOME = temporaryFolder();
  writeFileSync(
    join(HOME, ".npmrc"),
    [
      "//one.example/:_authToken=${NPM_TOKEN}",
      '//two.example/:_password = "d3JpdHRlbg=="',
      "; //three.example/:_authToken=${OTHER}",
      "cache=${HOME}/.npm",
    ].join("\n"),
  );
  const own = {
    HOME,
    NPM_TOKEN: "from-a-variable",
    OTHER: "of nothing",
    HTTPS_PROXY: "http://me:p%40ss@proxy.example:3128",
    "npm_config_//four.example/:_authToken": "from-a-setting",
    npm_config_registry: "https://registry.example/",
  };
  expect(credentialsOfNpm(own).sort()).toEqual(
    ["from-a-variable", "d3JpdHRlbg==", "p%40ss", "p@ss", "from-a-setting"].sort(),
  );
});
