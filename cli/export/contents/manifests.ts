import { type InsideKind, insideKinds } from "../../../sdk/manifests/inside-format";
import { insideSchemaPath, manifestOfKind } from "../../../sdk/manifests/format";
import { literalValue, writeManifests } from "../../../sdk/manifests/write";
import { commentLine } from "../comment";
import type { ExportedContent, ExportedFile } from "../model";

const fileSuffixes: Record<InsideKind, string> = {
  Assistant: "assistants",
  Cron: "crons",
  StoreItems: "store",
};

/**
 * Creates the manifests of the contents: one file per deployment and kind.
 *
 * @param schema returns the path of one of the package's JSON Schemas for editors
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
      const schemaPath = schema(insideSchemaPath(kind));
      const head = schemaPath === undefined ? "" : `# yaml-language-server: $schema=${schemaPath}\n`;
      const text = some.map(contentManifest).join("---\n");
      return [{ name: `${deployment.file}.${fileSuffixes[kind]}.yaml`, text: head + text }];
    }),
  );
}

/** Creates the manifest of one resource, with notes for the reader as comments. */
export function contentManifest(content: ExportedContent): string {
  const { kind, resource, title, notices } = content;
  const head = [title, ...notices].map((line) => `${commentLine("#", line)}\n`).join("");
  return head + writeManifests([manifestOfKind(kind, resource, specOf(content))]);
}

/** Returns the `spec` of a manifest. */
export function specOf({ deployment, inputs, assistant }: ExportedContent): Record<string, unknown> {
  return {
    deployment: deployment.resource,
    ...literalValue(inputs),
    ...(assistant && { assistant: assistant.resource }),
  };
}
