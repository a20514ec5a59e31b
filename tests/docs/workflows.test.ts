import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { repositoryRoot } from "../../tools/repository";
import { repository } from "../../tools/schemas/package-schema";
import { dependabot, issueTemplates, markdown, workflows, type Document } from "./documents";

/** Schemas for workflows that are stricter than GitHub's own schema. */
const permission = z.enum(["read", "write", "none"]);
const permissions = z.record(z.string(), permission);
const step = z
  .strictObject({
    name: z.string().optional(),
    id: z.string().optional(),
    if: z.string().optional(),
    // Workflows may use only GitHub's own actions, pinned to a commit.
    uses: z
      .string()
      .regex(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
      .optional(),
    with: z.record(z.string(), z.unknown()).optional(),
    run: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    "working-directory": z.string().optional(),
  })
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined), "either uses or run");
const job = z.strictObject({
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  if: z.string().optional(),
  strategy: z
    .strictObject({ "fail-fast": z.boolean(), matrix: z.record(z.string(), z.array(z.number()).min(2)) })
    .optional(),
  "runs-on": z.literal("ubuntu-latest"),
  "timeout-minutes": z.number(),
  environment: z.string().optional(),
  permissions: permissions.optional(),
  env: z.record(z.string(), z.string()).optional(),
  steps: z.array(step).min(1),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  // By default, no permissions, or only the permission to read public contents.
  permissions: z.strictObject({ contents: z.literal("read").optional() }),
  concurrency: z.strictObject({
    group: z.string(),
    "cancel-in-progress": z.union([z.boolean(), z.string()]),
  }),
  jobs: z.record(z.string(), job),
});

function parsed({ path, text }: Document): unknown {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  expect([path, ...document.errors, ...document.warnings]).toEqual([path]);
  return document.toJS();
}

const all = workflows.map((document) => [document.path, document] as const);

test("has workflows for checks, the site, tests, and releases", () =>
  expect(all.map(([path]) => path.split("/").at(-1))).toEqual([
    "check.yml",
    "pages.yml",
    "release.yml",
    "test.yml",
  ]));

test("publishes the site only from main, at the address that the README contains", () => {
  const { on, jobs } = workflow.parse(parsed(workflows.find(({ path }) => path.endsWith("/pages.yml"))!));
  expect(on).toEqual({ push: { branches: ["main"] }, workflow_dispatch: null });
  const { run, env } = jobs["build"]!.steps.find((one) => one.run !== undefined)!;
  expect(run).toContain('--base "/$NAME/"');
  expect(env).toEqual({ NAME: "${{ github.event.repository.name }}" });
  const name = basename(repository);
  const { text } = markdown.find(({ path }) => path === "README.md")!;
  expect(text).toContain(`https://${name}.github.io/${name}/`);
});

test.each(all)("has a valid structure and minimal permissions in %s", (_, document) => {
  const { jobs } = workflow.parse(parsed(document));
  for (const { steps, needs, permissions = {} } of Object.values(jobs)) {
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining([needs ?? []].flat()));
    const checkout = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    if (checkout) expect(checkout.with).toMatchObject({ "persist-credentials": false });
    const writes = Object.keys(permissions).filter((name) => permissions[name] === "write");
    // GitHub Pages requires two: one to publish, and one to prove the identity of the workflow.
    if (writes.includes("pages")) expect(writes.sort()).toEqual(["id-token", "pages"]);
    else expect(writes.length).toBeLessThanOrEqual(1);
    // Jobs with write permissions do not run code of the repository.
    if (writes.length > 0) expect(checkout).toBeUndefined();
  }
});

test("combines the jobs of each pull request into one status that also fails for skipped jobs", () => {
  const { jobs } = workflow.parse(parsed(workflows.find(({ path }) => path.endsWith("/test.yml"))!));
  const { tests, ...others } = jobs;
  const required = Object.keys(others).filter((name) => others[name]!.if === undefined);
  expect(tests).toMatchObject({ needs: required, if: "always()" });
  const [{ env, run }] = tests!.steps as [{ env: object; run: string }];
  expect(env).toEqual({ RESULTS: "${{ join(needs.*.result, ' ') }}" });
  const finished = (RESULTS: string) =>
    spawnSync("bash", ["-e", "-c", run], { env: { ...process.env, RESULTS } }).status;
  expect(finished("success success")).toBe(0);
  for (const result of ["failure", "cancelled", "skipped"]) expect(finished(`${result} success`)).toBe(1);
});

test("pins each action to a commit, and states its version", () => {
  const uses = workflows.flatMap(({ text }) =>
    [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action!),
  );
  for (const action of uses) expect(action).toMatch(/^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const names = new Set(uses.map((action) => action.split("@")[0]));
  expect(new Set(uses).size).toBe(names.size);
});

test.each(all)("keeps secrets and event data out of the scripts of %s", (_, { text, path }) => {
  const { jobs } = workflow.parse(parsed({ text, path }));
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  expect(text).not.toMatch(/secrets\./);
});

test.each(all)("refers only to existing files in %s", (_, { text }) => {
  const named = [...text.matchAll(/(?<![\w/~.-])(tools\/[\w./-]*\w)/g)].map(([, file]) => file!);
  expect(named.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});

/** Schema of a GitHub issue form: https://docs.github.com, "Syntax for GitHub's form schema". */
const form = z.strictObject({
  name: z.string().min(3),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: z.string() }) }),
      z.strictObject({
        type: z.literal("textarea"),
        id: z.string(),
        attributes: z.strictObject({
          label: z.string(),
          description: z.string().optional(),
          render: z.string().optional(),
        }),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
      z.strictObject({
        type: z.literal("dropdown"),
        id: z.string(),
        attributes: z.strictObject({
          label: z.string(),
          description: z.string().optional(),
          options: z.array(z.string()).min(2),
        }),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
    ]),
  ),
});
const chooser = z.strictObject({
  blank_issues_enabled: z.boolean(),
  contact_links: z.array(z.strictObject({ name: z.string(), url: z.url(), about: z.string() })),
});

test.each(issueTemplates.map((document) => [document.path, document] as const))(
  "has a valid structure in the issue form %s",
  (path, document) => {
    const content = parsed(document);
    if (path.endsWith("/config.yml")) chooser.parse(content);
    else form.parse(content);
  },
);

test("directs vulnerability reports away from issues", () => {
  const config = issueTemplates.find(({ path }) => path.endsWith("/config.yml"))!;
  const { contact_links: links } = chooser.parse(parsed(config));
  expect(links.map(({ about }) => about).join()).toContain("SECURITY.md");
  expect(markdown.map(({ path }) => path)).toContain("SECURITY.md");
});

test("updates npm packages, actions, and Python packages in groups after a cooldown", () => {
  const update = z.looseObject({
    "package-ecosystem": z.string(),
    directory: z.string().optional(),
    directories: z.array(z.string()).optional(),
    cooldown: z.looseObject({ "default-days": z.number().min(7) }),
    groups: z.record(z.string(), z.looseObject({})),
  });
  const [document] = dependabot;
  const { updates } = z.object({ version: z.literal(2), updates: z.array(update) }).parse(parsed(document!));

  expect(updates.map((one) => one["package-ecosystem"])).toEqual(["npm", "github-actions", "pip"]);
  const folders = updates.flatMap(({ directory = [], directories = [] }) => directories.concat(directory));
  expect(folders.filter((folder) => !existsSync(join(repositoryRoot, folder)))).toEqual([]);
});
