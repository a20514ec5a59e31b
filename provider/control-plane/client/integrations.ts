import { z } from "zod";
import { githubRepository } from "../../../wire";
import type { Transport } from "../../http/transport";
import { isId, unlessMissing } from "./unless-missing";

const listed = z.array(z.object({ id: z.string(), name: z.string().nullish() }));
const repositories = z.array(
  githubRepository.pick({ url: true }).extend({ default_branch: z.string().nullish() }),
);

/** Where integrations of each kind of app are listed. */
const integrationPaths = ["/v1/integrations/github", "/v1/integrations/forge/github"] as const;

/** A repository that an integration reaches. */
type Repository = z.infer<typeof repositories>[number];

/** An integration as its list has it. */
export interface ListedIntegration {
  id: string;
  /** Name of the account at the git host. */
  name?: string;
  /** Which kind of app it is. */
  app: "github" | "forge";
}

/** An integration that is there. */
export interface Integration {
  /** The addresses of all repositories that it reaches; nothing where the server does not know it. */
  repositories(signal?: AbortSignal): Promise<string[] | undefined>;
}

/** The endpoints of integrations, and of the repositories that they reach, as functions. */
export class IntegrationsClient {
  constructor(private readonly transport: Transport) {}

  /**
   * The repositories' addresses that an integration reaches, by `GET /v1/integrations/github/…`; nothing when the
   * workspace has no integration of this id: neither the lists nor the integration's own path know it.
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

  /** The workspace's integrations of both kinds of app. */
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

  /** The repositories that one of them reaches; nothing where the server does not know it any more. */
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
