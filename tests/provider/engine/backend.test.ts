import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backendId } from "../../../provider/engine/backend";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentserver-backend-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a folder where Pulumi stores stacks. */
function state(name: string): string {
  mkdirSync(join(folder, name, ".pulumi", "stacks"), { recursive: true });
  return join(folder, name);
}

/** Returns the ID of the backend at this URL for a user who has not logged in. */
function idOf(url: string | undefined, more: NodeJS.ProcessEnv = {}): string | undefined {
  return backendId({
    env: { PULUMI_BACKEND_URL: url, PULUMI_HOME: join(folder, "home"), ...more },
    root: folder,
  });
}

test("does not return an ID for Pulumi Cloud or without a login", () => {
  expect(idOf("https://api.pulumi.com")).toBeUndefined();
  expect(idOf(undefined)).toBeUndefined();
});

test("distinguishes folders, and returns a stable ID for each", () => {
  const [one, two] = [state("one"), state("two")];
  expect(idOf(`file://${one}`)).toMatch(/^[0-9a-f]{16}$/);
  expect(idOf(`file://${one}`)).toBe(idOf(`file://${one}`));
  expect(idOf(`file://${one}`)).not.toBe(idOf(`file://${two}`));
});

test("keeps the ID when Pulumi writes to the folder", () => {
  const one = state("one");
  const before = idOf(`file://${one}`);
  writeFileSync(join(one, ".pulumi", "stacks", "dev.json"), "{}");
  writeFileSync(join(one, ".pulumi", "meta.yaml"), "version: 1");
  expect(idOf(`file://${one}`)).toBe(before);
});

test("distinguishes folders with the same path and content on different machines", () => {
  const one = state("one");
  const before = idOf(`file://${one}`);
  cpSync(one, join(folder, "copy"), { recursive: true });
  rmSync(one, { recursive: true });
  cpSync(join(folder, "copy"), one, { recursive: true });
  expect(idOf(`file://${one}`)).not.toBe(before);
});

test("distinguishes self-hosted Pulumi services by host, regardless of the URL's spelling", () => {
  const own = idOf("https://pulumi.acme.example");
  expect(own).toMatch(/^[0-9a-f]{16}$/);
  expect(idOf("https://user@Pulumi.acme.example/")).toBe(own);
  expect(idOf("https://pulumi.other.example")).not.toBe(own);
  expect(idOf("https://pulumi.acme.example:8443")).not.toBe(own);
  expect(idOf("https://api.pulumi.com.acme.example")).toBeDefined();
});

test("ignores credentials and access parameters of a bucket", () => {
  const bucket = idOf("s3://state");
  expect(idOf("s3://state?profile=ci&awssdk=v2")).toBe(bucket);
  expect(idOf("s3://state#part")).toBe(bucket);
  expect(idOf("postgres://a:b@host/db")).toBe(idOf("postgres://c:d@host/db?sslmode=require&password=e"));
  expect(idOf("s3://other")).not.toBe(bucket);
});

test.each([
  ["s3://state?endpoint=minio.team-a", "s3://state?endpoint=minio.team-b"],
  ["s3://state?region=cn-north-1", "s3://state?region=us-east-1"],
  ["azblob://state?storage_account=a", "azblob://state?storage_account=b"],
  ["postgres://host/db?table=a", "postgres://host/db?table=b"],
])("distinguishes %s from %s", (one, other) => {
  expect(idOf(one)).not.toBe(idOf(other));
});

test("ignores the order of the parameters", () => {
  expect(idOf("s3://state?region=a&endpoint=b")).toBe(idOf("s3://state?endpoint=b&profile=c&region=a"));
});

test("treats endpoints and storage accounts in the environment like those in the URL", () => {
  const inEnvironment = (account: string) => idOf("azblob://state", { AZURE_STORAGE_ACCOUNT: account });
  expect(inEnvironment("a")).toBe(idOf("azblob://state?storage_account=a"));
  expect(inEnvironment("a")).not.toBe(inEnvironment("b"));
  expect(idOf("s3://state", { AWS_ENDPOINT_URL: "minio.team-a" })).toBe(
    idOf("s3://state?endpoint=minio.team-a"),
  );
});

test("uses the project's setting unless the environment specifies one", () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nbackend:\n  url: s3://project\n");
  expect(idOf(undefined)).toBe(idOf("s3://project"));
  expect(idOf("s3://other")).not.toBe(idOf("s3://project"));
});

test("falls back to the backend to which the user is logged in", () => {
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "credentials.json"), JSON.stringify({ current: "s3://login" }));
  expect(idOf(undefined)).toBe(idOf("s3://login"));
  expect(idOf(undefined, { PULUMI_HOME: "", PULUMI_CREDENTIALS_PATH: home })).toBe(idOf("s3://login"));
});

test.each(["credentials.json", "Pulumi.yaml"])(
  "ignores a malformed %s, which Pulumi reports itself",
  (name) => {
    mkdirSync(join(folder, "home"));
    const target = name === "Pulumi.yaml" ? folder : join(folder, "home");
    writeFileSync(join(target, name), "backend: {\n");
    expect(idOf(undefined)).toBeUndefined();
  },
);

test("resolves relative folders against the project", () => {
  const one = state("one");
  expect(idOf("file://./one")).toBe(idOf(`file://${one}`));
  expect(idOf("file://one")).toBe(idOf(`file://${one}`));
});
