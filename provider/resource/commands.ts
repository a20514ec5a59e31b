import { isPlainWord, shellWord } from "../text/shell-word";
import { partsOfUrn } from "./ownership/urn";

/**
 * A command of Pulumi about one resource, so that it can be pasted into a shell: `pulumi state delete '<urn>' --stack dev`.
 * @param urn empty where it is not known, as in a state that was imported
 */
export function pulumiCommand(command: string, urn: string): string {
  if (urn === "") return `\`pulumi ${command}\``;
  const { stack } = partsOfUrn(urn);
  return `\`pulumi ${command} ${shellWord(urn)}${isPlainWord(stack) ? ` --stack ${stack}` : ""}\``;
}
