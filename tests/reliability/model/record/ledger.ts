import type { DeploymentView } from "../world/plane-view";

/** Name of a resource, or "others" for all other actors. */
export type Maker = string;

/** New objects on the control plane since the last read. */
export interface News {
  /** IDs of the new deployments. */
  deployments: string[];
  /** IDs of the new revisions, oldest first. */
  revisions: string[];
}

/**
 * Record of the actor that created each object. Everything that is new after an action was created by the actor of that
 * action.
 */
export class Ledger {
  private readonly makers = new Map<string, Maker>();
  /** Resources, keyed by ownership tag. */
  private readonly owners = new Map<string, Maker>();
  /** Deployments that are no longer known to their resources. */
  private readonly lost = new Set<string>();

  /** Attributes all new objects to an actor, unless they are known to belong to other actors. */
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

  /** Returns the resource that a deployment's ownership tag identifies, or `undefined` if the deployment has no tag. */
  ownerOf({ settings: { tag } }: DeploymentView): Maker | undefined {
    return tag === undefined ? undefined : this.ownerOfTag(tag);
  }

  /** Returns the resource that an ownership tag identifies. */
  ownerOfTag(tag: string): Maker | undefined {
    return this.owners.get(ownerIn(tag));
  }

  /** Records the ownership tag of a resource. @returns true if the tag is unchanged and unique */
  learnTag(tag: string, owner: Maker): boolean {
    const id = ownerIn(tag);
    const isOther = [...this.owners].some(([known, whose]) => (known === id) !== (whose === owner));
    if (!isOther) this.owners.set(id, owner);
    return !isOther;
  }

  /** Records that a resource can no longer manage a deployment. */
  lose(id: string): void {
    this.lost.add(id);
  }

  /**
   * Records that a resource manages a deployment. Unless the resource created it, the deployment is lost to its
   * creator.
   */
  find(id: string, resource: Maker): void {
    if (this.makers.get(id) === resource) this.lost.delete(id);
    else this.lost.add(id);
  }

  /** Returns the deployments that the resource created and has not lost. */
  madeBy(maker: Maker, plane: DeploymentView[]): DeploymentView[] {
    return plane.filter(({ id }) => this.makers.get(id) === maker && !this.lost.has(id));
  }
}

function ownerIn(tag: string): string {
  return tag.split("/")[0]!;
}

/**
 * Returns the number of a deployment's revisions that come from interrupted creates, according to its ownership tag.
 */
export function countIn(tag: string): number {
  return Number(tag.split("/")[1] ?? 1);
}
