/** Returns the code that loads a provider in the engine. The code is stored in state, so it must never change. */
export function providerText(kind: string): string {
  return `exports.handler = () => require("pulumi-agentserver/provider").${kind};`;
}
