/** Code with which the engine loads the provider. It is stored in state, so it must never change. */
export const providerText = 'exports.handler = () => require("pulumi-agentserver/provider").provider;';
