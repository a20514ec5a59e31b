import { bundledPackages } from "../../../tools/release/locked-packages";
import { temporaryFolder } from "../temporary-folder";

/** Creates a repository with this lock file. Its web console contains code of these packages. */
function repository(packages: Record<string, object>, contained: string[]): string {
  const licenses = contained.map((name) => `${name} 1.2.3\n\nMIT License\n\nCopyright 2026 Someone\n`);
  return temporaryFolder({
    "package-lock.json": JSON.stringify({ packages }),
    "emulator/page/dist/licenses.txt": licenses.join(`\n${"-".repeat(80)}\n\n`),
  });
}

const locked = (license: string) => ({ version: "1.2.3", license, dev: true });
const packages = {
  "node_modules/@scope/first": locked("MIT"),
  "node_modules/second": locked("ISC"),
  "node_modules/swagger-ui-dist": locked("Apache-2.0"),
};

test("lists packages whose code is bundled or copied, with their licenses", () => {
  const root = repository(packages, ["@scope/first", "second"]);
  expect(bundledPackages(root, "emulator")).toEqual([
    { id: "@scope/first@1.2.3", name: "@scope/first", license: "MIT", dependsOn: [] },
    { id: "second@1.2.3", name: "second", license: "ISC", dependsOn: [] },
    { id: "swagger-ui-dist@1.2.3", name: "swagger-ui-dist", license: "Apache-2.0", dependsOn: [] },
  ]);
  expect(bundledPackages(root, "")).toEqual([]);
});

test("fails if the lock file does not contain a bundled package", () => {
  const root = repository(packages, ["third"]);
  expect(() => bundledPackages(root, "emulator")).toThrow("The lock file does not contain third.");
});
