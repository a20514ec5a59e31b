import { type Plane, PlaneError } from "./plane";
import type { Route } from "./route";
import { ended } from "./status";
import type { Deployment, Facts, Revision } from "./types";

const deploymentsAPage = 100;
const revisionsAPage = 20;
const mostRevisions = 100;
const atOnce = 8;

/** Data that the web console shows. */
export interface Observation {
  facts: Facts;
  /** Time of the control plane in milliseconds since the epoch. */
  now: number;
  deployments: Deployment[];
  /** True if there are more deployments than were read. */
  more: boolean;
  selected: Deployment | undefined;
  /** ID of the deployment in the URL, if that deployment does not exist. */
  lost: string | undefined;
  revisions: Revision[];
  moreRevisions: boolean;
  /** ID of the revision in the URL. */
  linked: string | undefined;
  /** Revision that the user has selected. */
  revision: Revision | undefined;
}

/** Reads the data that the web console shows. */
export class Observer {
  /** Number of items to read from each list, and the filter. */
  wanted = { nameContains: "", deployments: deploymentsAPage, revisions: revisionsAPage };
  /** Latest revisions whose state is final, keyed by ID. */
  readonly #done = new Map<string, Revision>();

  constructor(private readonly plane: Plane) {}

  /** Reads all data that the web console shows, except for the log and the journal. */
  async look(route: Route): Promise<Observation> {
    const facts = await this.plane.facts();
    const { deployments, more } = await this.#deployments();
    const selectedId = route.deploymentId || deployments[0]?.id;
    const selected =
      deployments.find(({ id }) => id === selectedId) ?? (await this.#single(route.deploymentId));
    const revisions = selected ? await this.#revisions(selected.id, route.revisionId) : [];
    await inTurn(deployments, async (deployment) => {
      deployment.latest = deployment === selected ? revisions[0] : await this.#latest(deployment);
    });
    if (selected) selected.latest = revisions[0];
    return {
      facts,
      now: Date.parse(facts.now),
      deployments,
      more,
      selected,
      lost: selected ? undefined : route.deploymentId,
      revisions,
      moreRevisions: revisions.length === this.wanted.revisions && revisions.length < mostRevisions,
      linked: route.revisionId,
      revision: revisions.find(({ id }) => id === route.revisionId) ?? revisions[0],
    };
  }

  showMoreDeployments(): void {
    this.wanted.deployments += deploymentsAPage;
  }

  showMoreRevisions(): void {
    this.wanted.revisions = mostRevisions;
  }

  async #deployments(): Promise<{ deployments: Deployment[]; more: boolean }> {
    const { nameContains, deployments: most } = this.wanted;
    const found: Deployment[] = [];
    for (;;) {
      const limit = deploymentsAPage;
      const { resources } = await this.plane.deployments({ nameContains, limit, offset: found.length });
      found.push(...resources);
      if (resources.length < limit) return { deployments: found, more: false };
      if (found.length >= most) return { deployments: found, more: true };
    }
  }

  /** Reads a deployment that is not in the list. */
  async #single(id: string | undefined): Promise<Deployment | undefined> {
    if (!id) return undefined;
    try {
      return await this.plane.deployment(id);
    } catch (error) {
      if (error instanceof PlaneError && [404, 422].includes(error.status)) return undefined;
      throw error;
    }
  }

  /**
   * Reads the revisions of a deployment.
   *
   * @param linked - revision to include if possible
   */
  async #revisions(deploymentId: string, linked: string | undefined): Promise<Revision[]> {
    try {
      const { resources } = await this.plane.revisions(deploymentId, this.wanted.revisions);
      const found = !linked || resources.some(({ id }) => id === linked);
      if (found || resources.length < this.wanted.revisions || this.wanted.revisions === mostRevisions)
        return resources;
      this.showMoreRevisions();
      return (await this.plane.revisions(deploymentId, mostRevisions)).resources;
    } catch (error) {
      // The deployment was deleted after the list was read.
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /**
   * Reads the latest revision while it may still change, because the record of a deployment does not contain the state
   * of its rollout.
   */
  async #latest({ id, latest_revision_id: revisionId }: Deployment): Promise<Revision | undefined> {
    const known = revisionId ? this.#done.get(revisionId) : undefined;
    if (known || !revisionId) return known;
    const [latest] = (await this.plane.revisions(id, 1).catch(ifGone))?.resources ?? [];
    if (!latest) return undefined;
    if (ended(latest.status)) this.#done.set(latest.id, latest);
    return latest;
  }
}

function ifGone(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof PlaneError && error.status === 404;
}

async function inTurn<Item>(items: Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
