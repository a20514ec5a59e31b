/** Returns the code with which the engine loads a provider. It is stored in state, so it must never change. */
export function providerText(kind: string): string {
  return `exports.handler = () => require("pulumi-agentserver/provider").${kind};`;
}
