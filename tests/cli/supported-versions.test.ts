import { readFileSync } from "node:fs";
import { join } from "node:path";
import { oldestSdk } from "../../cli/supported-versions";
import { repositoryRoot } from "../../tools/repository";

const file = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

test.each(["package.json", "policies/package.json"])(
  "requires the same minimum SDK version as %s",
  (path) => {
    const { peerDependencies } = JSON.parse(file(path)) as { peerDependencies: Record<string, string> };

    expect(peerDependencies["@pulumi/pulumi"]).toBe(`^${oldestSdk}`);
  },
);
