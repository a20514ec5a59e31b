import { shellOperands, shellWord } from "./shell-word";

/** Organization of every stack in a backend without organizations. */
const soleOrganization = "organization";

/**
 * Returns the name of a stack in the format of `--stack`, with its organization; `undefined` if the name is unknown. A
 * name without an organization refers to the default organization of the user.
 */
export function stackOption(stack: string, organization: string | undefined): string | undefined {
  if (!stack) return undefined;
  return !organization || organization === soleOrganization ? stack : `${organization}/${stack}`;
}

/**
 * Returns a `pulumi config set` command.
 * @param stack stack in the format of `--stack`; if unknown, the command changes the selected stack
 * @param operands key, optionally followed by its value
 */
export function configCommand(
  { stack, isSecret = false }: { stack?: string | undefined; isSecret?: boolean },
  ...operands: string[]
): string {
  const options = [...(isSecret ? ["--secret"] : []), ...(stack ? ["--stack", shellWord(stack)] : [])];
  return ["pulumi config set", ...options, shellOperands(...operands)].join(" ");
}
