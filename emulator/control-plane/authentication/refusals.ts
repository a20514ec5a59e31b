import { Refusal } from "../refusal";

/** Errors for rejected authentication requests. */
export const refuseAuthentication = {
  noFlow: (id: string) => new Refusal(404, `Authentication ID ${id} not found.`),
  noProvider: (id: string) => new Refusal(404, `OAuth provider '${id}' not found.`),
  providerTaken: (id: string) => new Refusal(409, `OAuth provider '${id}' already exists.`),
  noToken: (id: string) => new Refusal(404, `OAuth token ID ${id} not found.`),
  noConnection: (id: string) => new Refusal(404, `Connection ID ${id} not found.`),
  undiscovered: (url: string, why: string) =>
    new Refusal(400, `No OAuth provider could be discovered at ${url}: ${why}.`),
};
