import { type InsideKind, insideKinds } from "../../../sdk/manifests/inside-format";
import { insideSchemaPath, manifestOfKind } from "../../../sdk/manifests/format";
import { literalValue, writeManifests } from "../../../sdk/manifests/write";
import { commentLine } from "../comment";
import type { ExportedFile } from "../exported-file";
import type { ExportedContent } from "./exported-content";

const fileWords: Record<InsideKind, string> = { Assistant: "assistants", Cron: "crons", StoreItems: "store" };

/**
 * The manifests of what is in deployments: one file for each deployment and kind.
 *
 * @param schema where an editor finds one of the package's JSON Schemas
 */
export function contentManifests(
  contents: readonly ExportedContent[],
  schema: (path: string) => string | undefined,
): ExportedFile[] {
  const deployments = [...new Set(contents.map(({ deployment }) => deployment))];
  return deployments.flatMap((deployment) =>
    insideKinds.flatMap((kind) => {
      const some = contents.filter((one) => one.deployment === deployment && one.kind === kind);
      if (some.length === 0) return [];
      const place = schema(insideSchemaPath(kind));
      const head = place === undefined ? "" : `# yaml-language-server: $schema=${place}\n`;
      const text = some.map(contentManifest).join("---\n");
      return [{ name: `${deployment.file}.${fileWords[kind]}.yaml`, text: head + text }];
    }),
  );
}

/** The manifest of one resource, with what a reader has to know in comments. */
export function contentManifest(content: ExportedContent): string {
  const { kind, resource, title, notices } = content;
  const head = [title, ...notices].map((line) => `${commentLine("#", line)}\n`).join("");
  return head + writeManifests([manifestOfKind(kind, resource, specOf(content))]);
}

/** What its manifest says of it. */
export function specOf({ deployment, inputs, assistant }: ExportedContent): Record<string, unknown> {
  return {
    deployment: deployment.resource,
    ...literalValue(inputs),
    ...(assistant && { assistant: assistant.resource }),
  };
}
