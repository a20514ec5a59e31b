import { isPlainWord, shellWord } from "../text/shell-word";
import { partsOfUrn } from "./ownership/urn";

/**
 * Returns a Pulumi command for a resource, quoted so that it can be pasted into a shell: `pulumi state delete '<urn>'
 * --stack dev`.
 * @param urn empty if unknown, as in a state that was imported
 */
export function pulumiCommand(command: string, urn: string): string {
  if (urn === "") return `\`pulumi ${command}\``;
  const { stack } = partsOfUrn(urn);
  return `\`pulumi ${command} ${shellWord(urn)}${isPlainWord(stack) ? ` --stack ${stack}` : ""}\``;
}
