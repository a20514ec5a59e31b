import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backendId } from "../../sdk/backend";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentserver-backend-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A folder in which Pulumi keeps stacks. */
function state(name: string): string {
  mkdirSync(join(folder, name, ".pulumi", "stacks"), { recursive: true });
  return join(folder, name);
}

/** The id for a backend in the environment; nobody has logged in. */
function idOf(url: string | undefined, more: NodeJS.ProcessEnv = {}): string | undefined {
  return backendId({
    env: { PULUMI_BACKEND_URL: url, PULUMI_HOME: join(folder, "home"), ...more },
    root: folder,
  });
}

test("names are unique in Pulumi Cloud, so it needs no id; nor is there one where nobody is logged in", () => {
  expect(idOf("https://api.pulumi.com")).toBeUndefined();
  expect(idOf(undefined)).toBeUndefined();
});

test("two folders are two backends, one folder is always the same", () => {
  const [one, two] = [state("one"), state("two")];
  expect(idOf(`file://${one}`)).toMatch(/^[0-9a-f]{16}$/);
  expect(idOf(`file://${one}`)).toBe(idOf(`file://${one}`));
  expect(idOf(`file://${one}`)).not.toBe(idOf(`file://${two}`));
});

test("what Pulumi writes into a folder makes no other backend of it", () => {
  const one = state("one");
  const before = idOf(`file://${one}`);
  writeFileSync(join(one, ".pulumi", "stacks", "dev.json"), "{}");
  writeFileSync(join(one, ".pulumi", "meta.yaml"), "version: 1");
  expect(idOf(`file://${one}`)).toBe(before);
});

test("the same path on another machine, with the same content, is another backend", () => {
  const one = state("one");
  const before = idOf(`file://${one}`);
  cpSync(one, join(folder, "copy"), { recursive: true });
  rmSync(one, { recursive: true });
  cpSync(join(folder, "copy"), one, { recursive: true });
  expect(idOf(`file://${one}`)).not.toBe(before);
});

test("each Pulumi service of one's own is a backend of its own, however its address is written", () => {
  const own = idOf("https://pulumi.acme.example");
  expect(own).toMatch(/^[0-9a-f]{16}$/);
  expect(idOf("https://user@Pulumi.acme.example/")).toBe(own);
  expect(idOf("https://pulumi.other.example")).not.toBe(own);
  expect(idOf("https://pulumi.acme.example:8443")).not.toBe(own);
  expect(idOf("https://api.pulumi.com.acme.example")).toBeDefined();
});

test("a bucket is the same whatever the credentials and the way to it", () => {
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
])("%s and %s are two backends", (one, other) => {
  expect(idOf(one)).not.toBe(idOf(other));
});

test("the order of the parameters makes no other backend", () => {
  expect(idOf("s3://state?region=a&endpoint=b")).toBe(idOf("s3://state?endpoint=b&profile=c&region=a"));
});

test("an endpoint or storage account from the environment counts like one in the address", () => {
  const inEnvironment = (account: string) => idOf("azblob://state", { AZURE_STORAGE_ACCOUNT: account });
  expect(inEnvironment("a")).toBe(idOf("azblob://state?storage_account=a"));
  expect(inEnvironment("a")).not.toBe(inEnvironment("b"));
  expect(idOf("s3://state", { AWS_ENDPOINT_URL: "minio.team-a" })).toBe(
    idOf("s3://state?endpoint=minio.team-a"),
  );
});

test("the project's own setting counts, and the environment goes before it", () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nbackend:\n  url: s3://project\n");
  expect(idOf(undefined)).toBe(idOf("s3://project"));
  expect(idOf("s3://other")).not.toBe(idOf("s3://project"));
});

test("where the user is logged in counts last", () => {
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "credentials.json"), JSON.stringify({ current: "s3://login" }));
  expect(idOf(undefined)).toBe(idOf("s3://login"));
  expect(idOf(undefined, { PULUMI_HOME: "", PULUMI_CREDENTIALS_PATH: home })).toBe(idOf("s3://login"));
});

test.each(["credentials.json", "Pulumi.yaml"])(
  "a file %s that cannot be read is Pulumi's to complain about",
  (name) => {
    mkdirSync(join(folder, "home"));
    const place = name === "Pulumi.yaml" ? folder : join(folder, "home");
    writeFileSync(join(place, name), "backend: {\n");
    expect(idOf(undefined)).toBeUndefined();
  },
);

test("relative folders start at the project", () => {
  const one = state("one");
  expect(idOf("file://./one")).toBe(idOf(`file://${one}`));
  expect(idOf("file://one")).toBe(idOf(`file://${one}`));
});
