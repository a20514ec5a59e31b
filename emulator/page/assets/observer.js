import { ended } from "./status.js";

const deploymentsAPage = 100;
const revisionsAPage = 20;
const mostRevisions = 100;
const atOnce = 8;

/** Reads the data that the page shows. */
export class Observer {
  /** Number of items to read of each list, and the filter. */
  wanted = { nameContains: "", deployments: deploymentsAPage, revisions: revisionsAPage };
  /** Latest revisions whose state is final, keyed by id. */
  #done = new Map();

  constructor(plane) {
    this.plane = plane;
  }

  /** Reads everything except the log and the journal. */
  async look(route) {
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

  showMoreDeployments() {
    this.wanted.deployments += deploymentsAPage;
  }

  showMoreRevisions() {
    this.wanted.revisions = mostRevisions;
  }

  async #deployments() {
    const { nameContains, deployments: most } = this.wanted;
    const found = [];
    for (;;) {
      const limit = deploymentsAPage;
      const { resources } = await this.plane.deployments({ nameContains, limit, offset: found.length });
      found.push(...resources);
      if (resources.length < limit) return { deployments: found, more: false };
      if (found.length >= most) return { deployments: found, more: true };
    }
  }

  /** Reads a deployment that is not in the list. */
  async #single(id) {
    if (!id) return undefined;
    try {
      return await this.plane.deployment(id);
    } catch (error) {
      if ([404, 422].includes(error.status)) return undefined;
      throw error;
    }
  }

  /** @param linked - revision to include if possible */
  async #revisions(deploymentId, linked) {
    try {
      const { resources } = await this.plane.revisions(deploymentId, this.wanted.revisions);
      const found = !linked || resources.some(({ id }) => id === linked);
      if (found || resources.length < this.wanted.revisions || this.wanted.revisions === mostRevisions)
        return resources;
      this.showMoreRevisions();
      return (await this.plane.revisions(deploymentId, mostRevisions)).resources;
    } catch (error) {
      // It was deleted after the list was read.
      if (error.status === 404) return [];
      throw error;
    }
  }

  /**
   * Reads the latest revision while it may still change, because the record of a deployment does not contain the state
   * of its rollout.
   */
  async #latest({ id, latest_revision_id: revisionId }) {
    const known = this.#done.get(revisionId);
    if (known || !revisionId) return known;
    const [latest] = (await this.plane.revisions(id, 1).catch(ifGone))?.resources ?? [];
    if (!latest) return undefined;
    if (ended(latest.status)) this.#done.set(latest.id, latest);
    return latest;
  }
}

function ifGone(error) {
  if (error.status === 404) return undefined;
  throw error;
}

async function inTurn(items, act) {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
