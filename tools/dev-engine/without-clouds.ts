import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folder with files that replace, or are added to, those that require the packages of cloud services. */
export const replacementsFolder = join(__dirname, "without-clouds");

/** One change to a source file, which must occur exactly `times` times. */
interface Edit {
  file: string;
  find: RegExp;
  put: string;
  times: number;
}

const edits: Edit[] = [
  {
    file: "backend/diy/backend.go",
    find: /^\t(?:_ )?"(?:gocloud\.dev\/blob\/(?:azureblob|gcsblob|s3blob)|github\.com\/pulumi\/pulumi\/pkg\/v3\/authhelpers)".*\n/gm,
    put: "",
    times: 4,
  },
  {
    // Credentials of the user's own, before a bucket is opened.
    file: "backend/diy/backend.go",
    find: /^\tif p\.Scheme == (?:gcsblob|azureblob)\.Scheme \{\n[\s\S]*?^\t\}\n/gm,
    put: "",
    times: 2,
  },
  {
    file: "backend/diy/bucket.go",
    find: /^\tawss3 "github\.com\/aws\/aws-sdk-go-v2\/service\/s3"\n/gm,
    put: "",
    times: 1,
  },
  { file: "backend/diy/bucket.go", find: /awss3\.CopyObjectInput/g, put: "copyObjectInput", times: 2 },
  {
    file: "secrets/cloud/manager.go",
    find: /^\t(?:_ )?"(?:gocloud\.dev\/secrets\/\w+|google\.golang\.org\/api\/cloudkms\/v1|github\.com\/pulumi\/pulumi\/pkg\/v3\/authhelpers)".*\n/gm,
    put: "",
    times: 6,
  },
  {
    file: "secrets/cloud/manager.go",
    find: /^\tcase gcpkms\.Scheme:\n[\s\S]*?(?=^\tdefault:)/gm,
    put: "",
    times: 1,
  },
];

/**
 * Copies the engine's module without the code for storage, key management, and logs of cloud services. This code would
 * be a third of the build, and file backends and passphrases never use it. An engine without it reports an error if
 * these services are requested.
 * @throws if the module does not match the expected changes
 */
export function copyWithoutClouds(module: string, copy: string): void {
  copySources(module, copy);
  for (const { file, find, put, times } of edits) {
    const path = join(copy, file);
    const source = readFileSync(path, "utf8");
    const found = source.match(find)?.length ?? 0;
    if (found !== times)
      throw new Error(`${file} of the engine has ${found} places that match ${find.source}, not ${times}`);
    writeFileSync(path, source.replace(find, put));
  }
  copySources(replacementsFolder, copy);
}

/**
 * Copies only the contents of files, because the files of the module cache are read-only and the copies will be changed
 * and removed.
 */
function copySources(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== "testdata") copySources(source, target);
    } else if (!entry.name.endsWith("_test.go")) writeFileSync(target, readFileSync(source));
  }
}
