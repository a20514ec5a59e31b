import type { DeploymentView } from "../world/plane-view";

/** The name of a resource, or "others" for everybody else. */
export type Maker = string;

/** What is new at the control plane since the last look. */
export interface News {
  /** Ids of deployments. */
  deployments: string[];
  /** Ids of revisions, the oldest one first. */
  revisions: string[];
}

/** Who made what, by the order of things: what is new after somebody has acted is theirs. */
export class Ledger {
  private readonly makers = new Map<string, Maker>();
  /** The resources that ownership tags stand for. */
  private readonly owners = new Map<string, Maker>();
  /** Deployments that their resources have lost sight of for good. */
  private readonly lost = new Set<string>();

  /** Notes that all that is new was made by somebody, unless it is known to be others'. */
  note(plane: DeploymentView[], maker: Maker, theirs: readonly string[] = []): News {
    for (const id of theirs) this.makers.set(id, "others");
    const deployments = plane.filter(({ id }) => !this.makers.has(id)).map(({ id }) => id);
    const revisions = plane
      .flatMap((deployment) => deployment.revisions.map(({ id }) => id).reverse())
      .filter((id) => !this.makers.has(id));
    for (const id of [...deployments, ...revisions]) this.makers.set(id, maker);
    return { deployments, revisions };
  }

  makerOf(id: string): Maker | undefined {
    return this.makers.get(id);
  }

  /** The resource that the ownership tag of a deployment stands for; nothing where it has none. */
  ownerOf({ settings: { tag } }: DeploymentView): Maker | undefined {
    return tag === undefined ? undefined : this.ownerOfTag(tag);
  }

  /** The resource that an ownership tag stands for. */
  ownerOfTag(tag: string): Maker | undefined {
    return this.owners.get(ownerIn(tag));
  }

  /** Learns the ownership tag of a resource. @returns whether it has always been that one, and that resource's alone */
  learnTag(tag: string, owner: Maker): boolean {
    const id = ownerIn(tag);
    const isOther = [...this.owners].some(([known, whose]) => (known === id) !== (whose === owner));
    if (!isOther) this.owners.set(id, owner);
    return !isOther;
  }

  /** Notes that a resource cannot be asked any more to take care of a deployment. */
  lose(id: string): void {
    this.lost.add(id);
  }

  /** Notes that a resource has a deployment: it has its own one again, or another's, which that one lost. */
  find(id: string, resource: Maker): void {
    if (this.makers.get(id) === resource) this.lost.delete(id);
    else this.lost.add(id);
  }

  /** The deployments that a resource has made and has not lost. */
  madeBy(maker: Maker, plane: DeploymentView[]): DeploymentView[] {
    return plane.filter(({ id }) => this.makers.get(id) === maker && !this.lost.has(id));
  }
}

function ownerIn(tag: string): string {
  return tag.split("/")[0]!;
}

/** How many revisions of a deployment were made by creates that did not come to their end, as its tag counts them. */
export function countIn(tag: string): number {
  return Number(tag.split("/")[1] ?? 1);
}
