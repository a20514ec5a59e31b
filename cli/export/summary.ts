import { printable } from "../printable";
import type { ExportedWorkspace } from "./model";

/** Summarizes an export. */
export function summaryOf(
  { deployments, contents, omitted }: ExportedWorkspace,
  { folder, secretsSetIn }: { folder: string; secretsSetIn: string | undefined },
): string {
  const comments = deployments.filter(({ asComment }) => asComment);
  const exported = deployments.filter(({ asComment }) => !asComment);
  const secrets = exported.flatMap((one) => one.secrets);
  const withNotices = exported.filter(({ notices }) => notices.length > 0);
  const next = secretsSetIn
    ? `${count(secrets.length, "secret")} set in the stack ${secretsSetIn}.`
    : `${count(secrets.length, "secret")} to set before the first \`pulumi up\`; see README.md in the folder.`;
  const lines = [
    `${[count(exported.length, "deployment"), ...contentCounts(contents)].join(", ")} written to ${folder}.`,
    ...section(
      "Omitted",
      omitted.map(({ name, id, reason }) => `${name} (${id}): ${reason}`),
    ),
    ...section(
      "Written as comments, because other Pulumi resources own them (pass --include-owned to adopt them)",
      comments.map(({ name, id }) => `${name} (${id})`),
    ),
    ...section("Notes", [
      ...withNotices.flatMap(({ name, notices }) => notices.map((notice) => `${name}: ${notice}`)),
      ...contents.flatMap(({ title, deployment, notices }) =>
        notices.map((notice) => `${title} in ${deployment.name}: ${notice}`),
      ),
    ]),
    ...(secrets.length > 0 ? [next] : []),
  ];
  return lines.map((line) => `${printable(line).replace(/[\n\t]/g, " ")}\n`).join("");
}

function contentCounts(contents: ExportedWorkspace["contents"]): string[] {
  const of = (kind: string) => contents.filter((one) => one.kind === kind);
  const items = of("StoreItems").flatMap(({ inputs }) => Object.keys(inputs["items"] as object));
  return [
    [of("Assistant").length, "assistant"] as const,
    [of("Cron").length, "cron"] as const,
    [items.length, "store item"] as const,
  ].flatMap(([number, thing]) => (number > 0 ? [count(number, thing)] : []));
}

function section(title: string, lines: string[]): string[] {
  return lines.length > 0 ? [`${title}:`, ...lines.map((line) => `  ${line}`)] : [];
}

/** Returns a number with its noun: `1 secret`, `2 secrets`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
