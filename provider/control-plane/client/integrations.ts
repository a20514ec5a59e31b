import { z } from "zod";
import { githubRepository } from "../../../wire";
import type { Transport } from "../../http/transport";
import { isId, unlessMissing } from "./unless-missing";

const listed = z.array(z.object({ id: z.string() }));
const repositories = z.array(githubRepository.pick({ url: true }));

/** Where integrations of each kind of app are listed. */
const integrationPaths = ["/v1/integrations/github", "/v1/integrations/forge/github"] as const;

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
    if ((await this.idsAt(`${github}/install`, signal)).includes(id)) return this.integrationAt(github, id);
    const forged = await this.idsAt(`${forge}/install`, signal).catch(unlessMissing((): string[] => []));
    if (forged.includes(id)) return this.integrationAt(forge, id);
    if (!isId(id)) return undefined;
    const found = this.integrationAt(github, id);
    return (await found.repositories(signal)) === undefined ? undefined : found;
  }

  private integrationAt(path: string, id: string): Integration {
    return {
      repositories: (signal) =>
        this.transport
          .send({ method: "GET", path: `${path}/${id}/repos`, answer: repositories, signal })
          .then((rows) => rows.map(({ url }) => url))
          .catch(unlessMissing(() => undefined)),
    };
  }

  private async idsAt(path: string, signal?: AbortSignal): Promise<string[]> {
    const rows = await this.transport.send({ method: "GET", path, answer: listed, signal });
    return rows.map(({ id }) => id);
  }
}
