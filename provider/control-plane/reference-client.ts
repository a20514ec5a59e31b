import { z } from "zod";
import { AgentServerError } from "../errors";
import { allOf, pageSize, pagesOf } from "./pages";
import type { Transport } from "./transport";
import { githubRepository, listenerRecord } from "./wire";

const listed = z.array(z.object({ id: z.string() }));
const listenerPage = z.object({
  resources: z.array(listenerRecord.pick({ id: true }).extend({ id: z.string() })),
});
const repositories = z.array(githubRepository.pick({ url: true }));

/** Where integrations of each kind of app are listed. */
const integrationPaths = ["/v1/integrations/github", "/v1/integrations/forge/github"] as const;

/** The endpoints of what deployments name: integrations, the repositories that they reach, and listeners. */
export class ReferenceClient {
  constructor(private readonly transport: Transport) {}

  /**
   * The repositories' addresses that an integration reaches, by `GET /v1/integrations/github/…`; nothing when the
   * workspace has no integration of this id: neither the lists nor the integration's own path know it.
   */
  async findIntegration(id: string, signal?: AbortSignal): Promise<Integration | undefined> {
    const [github, forge] = integrationPaths;
    if ((await this.ids(`${github}/install`, signal)).includes(id)) return this.integrationAt(github, id);
    const forged = await this.ids(`${forge}/install`, signal).catch(unlessMissing((): string[] => []));
    if (forged.includes(id)) return this.integrationAt(forge, id);
    if (!isId(id)) return undefined;
    const found = this.integrationAt(github, id);
    return (await found.repositories(signal)) === undefined ? undefined : found;
  }

  /** Whether the workspace has a listener of this id: neither `GET /v2/listeners/{id}` nor the list knows another. */
  async hasListener(id: string, signal?: AbortSignal): Promise<boolean> {
    if (!isId(id)) return (await this.listenerIds(signal)).includes(id);
    const path = `/v2/listeners/${id}`;
    const known = await this.transport
      .send({ method: "GET", path, signal })
      .then(() => true)
      .catch(unlessMissing(() => false));
    return known || (await this.listenerIds(signal)).includes(id);
  }

  /** The ids of the workspace's listeners, over all pages of `GET /v2/listeners`. */
  async listenerIds(signal?: AbortSignal): Promise<string[]> {
    const path = "/v2/listeners";
    const read = async (offset: number) => {
      const query = { limit: pageSize, offset };
      const { resources } = await this.transport.send({
        method: "GET",
        path,
        query,
        answer: listenerPage,
        signal,
      });
      return resources;
    };
    return (await allOf(pagesOf(`GET ${path}`, read))).map(({ id }) => id);
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

  private async ids(path: string, signal?: AbortSignal): Promise<string[]> {
    const rows = await this.transport.send({ method: "GET", path, answer: listed, signal });
    return rows.map(({ id }) => id);
  }
}

/** Whether it is an id as servers make them; anything else would lead to another path. */
function isId(text: string): boolean {
  return z.guid().safeParse(text).success;
}

/** An integration that is there. */
export interface Integration {
  /** The addresses of all repositories that it reaches; nothing where the server does not know it. */
  repositories(signal?: AbortSignal): Promise<string[] | undefined>;
}

/** Takes "there is no such thing" for an answer, also where the id is not even one; other failures stay failures. */
function unlessMissing<Answer>(answer: () => Answer): (error: unknown) => Answer {
  return (error) => {
    if (AgentServerError.is(error) && (error.isMissing || error.isInvalid)) return answer();
    throw error;
  };
}
