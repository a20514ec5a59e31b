/** Loads the provider where the engine runs it. State holds this text, so it never changes. */
export const providerText = 'exports.handler = () => require("pulumi-agentserver/provider").provider;';
