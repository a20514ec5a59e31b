import { z } from "zod";
import { githubRepository } from "../../../wire";
import type { Transport } from "../../http/transport";
import { isId, unlessMissing } from "./unless-missing";

const listed = z.array(z.object({ id: z.string(), name: z.string().nullish() }));
const repositories = z.array(
  githubRepository.pick({ url: true }).extend({ default_branch: z.string().nullish() }),
);

/** Paths that list the integrations of each kind of app. */
const integrationPaths = ["/v1/integrations/github", "/v1/integrations/forge/github"] as const;

/** A repository that an integration has access to. */
type Repository = z.infer<typeof repositories>[number];

/** An entry of the list of integrations. */
export interface ListedIntegration {
  id: string;
  /** Name of the account on the Git host. */
  name?: string;
  /** Type of app. */
  app: "github" | "forge";
}

/** An existing integration. */
export interface Integration {
  /**
   * Returns the addresses of all repositories that the integration has access to; `undefined` if the server does not
   * find the integration.
   */
  repositories(signal?: AbortSignal): Promise<string[] | undefined>;
}

/** Client for the endpoints of integrations and their repositories. */
export class IntegrationsClient {
  constructor(private readonly transport: Transport) {}

  /**
   * Finds an integration with `GET /v1/integrations/github/…`. Returns `undefined` if neither the lists nor the
   * integration's own path contain this ID.
   */
  async find(id: string, signal?: AbortSignal): Promise<Integration | undefined> {
    const [github, forge] = integrationPaths;
    if ((await this.idsAt(`${github}/install`, signal)).includes(id)) return this.integrationAt("github", id);
    const forged = await this.idsAt(`${forge}/install`, signal).catch(unlessMissing((): string[] => []));
    if (forged.includes(id)) return this.integrationAt("forge", id);
    if (!isId(id)) return undefined;
    const found = this.integrationAt("github", id);
    return (await found.repositories(signal)) === undefined ? undefined : found;
  }

  /** Returns the workspace's integrations for both kinds of app. */
  async list(signal?: AbortSignal): Promise<ListedIntegration[]> {
    const [github, forge] = integrationPaths;
    const rows = await this.rowsAt(`${github}/install`, signal);
    const forged = await this.rowsAt(`${forge}/install`, signal).catch(
      unlessMissing((): z.infer<typeof listed> => []),
    );
    const listedAs = (app: ListedIntegration["app"]) => (row: z.infer<typeof listed>[number]) => ({
      id: row.id,
      ...(row.name && { name: row.name }),
      app,
    });
    return [...rows.map(listedAs("github")), ...forged.map(listedAs("forge"))];
  }

  /**
   * Returns the repositories that an integration has access to; `undefined` if the server no longer finds the
   * integration.
   */
  repositories(
    { id, app }: Pick<ListedIntegration, "id" | "app">,
    signal?: AbortSignal,
  ): Promise<Repository[] | undefined> {
    const path = `${integrationPaths[app === "github" ? 0 : 1]}/${encodeURIComponent(id)}/repos`;
    return this.transport
      .send({ method: "GET", path, answer: repositories, signal })
      .catch(unlessMissing(() => undefined));
  }

  private integrationAt(app: ListedIntegration["app"], id: string): Integration {
    return {
      repositories: async (signal) => (await this.repositories({ id, app }, signal))?.map(({ url }) => url),
    };
  }

  private async idsAt(path: string, signal?: AbortSignal): Promise<string[]> {
    return (await this.rowsAt(path, signal)).map(({ id }) => id);
  }

  private rowsAt(path: string, signal?: AbortSignal): Promise<z.infer<typeof listed>> {
    return this.transport.send({ method: "GET", path, answer: listed, signal });
  }
}
