import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { copyWithoutClouds } from "../../../tools/dev-engine/without-clouds";
import { temporaryFolder, writeFile } from "../temporary-folder";
import { writeEngineModule } from "./machine";

test("copies the module without the packages for cloud services, and keeps the rest", () => {
  const folder = temporaryFolder();
  const [module, copy] = [writeEngineModule(join(folder, "module")), join(folder, "copy")];

  copyWithoutClouds(module, copy);

  const source = (path: string) => readFileSync(join(copy, path), "utf8");
  const changed = ["backend/diy/backend.go", "backend/diy/bucket.go", "secrets/cloud/manager.go"].map(source);
  expect(changed.join()).not.toMatch(
    /azureblob|gcsblob|s3blob|awss3|authhelpers|gcpkms|awskms|hashivault|cloudkms/,
  );
  expect(changed[0]).toContain('_ "gocloud.dev/blob/fileblob"');
  expect(changed[0]).toContain("func open() {\n\tc()\n}");
  expect(source("operations/operations_aws.go")).not.toContain("SDK of AWS");
  expect(source("backend/diy/clouds.go")).toContain("install Pulumi from pulumi.com");
  expect(source("go.mod")).toBe(readFileSync(join(module, "go.mod"), "utf8"));
  expect(existsSync(join(copy, "backend", "diy", "testdata"))).toBe(false);
  expect(existsSync(join(copy, "backend", "diy", "backend_test.go"))).toBe(false);
});

test("rejects a module with unexpected source code, and reports the difference", () => {
  const folder = temporaryFolder();
  const module = writeEngineModule(join(folder, "module"));
  writeFile(join(module, "backend/diy/bucket.go"), "package diy\n");

  expect(() => copyWithoutClouds(module, join(folder, "copy"))).toThrow(
    /^backend\/diy\/bucket\.go of the engine has 0/,
  );
});
