import { deployment } from "./deployment/kind";

/** All kinds of resources, by the names under which `pulumi-agentserver/provider` exports them for ever. */
export const kinds = { provider: deployment };
