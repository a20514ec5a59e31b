import { keyOf, type Identity } from "../inputs/identity";
import { failure, type Finding } from "../../resource/inputs/finding";

/** A deployment in the program, with the known parts of its identity. */
interface Sibling {
  ownerId: string;
  /** The identity in the program. */
  wanted?: Identity;
  /** The identity in state. */
  previous?: Identity;
}

/** The deployments in a program that have been checked so far, keyed by URN. Detects conflicts between them. */
export class Siblings {
  private readonly all = new Map<string, Sibling>();

  /** Records the current values of a resource. */
  record(urn: string, sibling: Sibling): void {
    this.all.set(urn, sibling);
  }

  /** True if the owner is a resource in this program. */
  own(ownerId: string | undefined): boolean {
    return [...this.all.values()].some((sibling) => sibling.ownerId === ownerId);
  }

  /** Returns the conflicts between the identity of a resource and the identities of the other resources. */
  findings(urn: string): Finding[] {
    const { wanted } = this.all.get(urn) ?? {};
    if (wanted === undefined) return [];
    const duplicate = this.find(urn, (other) => isSame(other.wanted, wanted));
    const path = wanted.agent ? "agent" : "name";
    if (duplicate !== undefined)
      return [
        failure(
          path,
          `${describeIdentity(wanted)} of two deployments in this program (resources "${resourceName(urn)}" and "${resourceName(duplicate)}"); give each ${wanted.agent ? "a different agent or environment" : "a different name"}`,
        ),
      ];
    const ring = this.findCycle(urn);
    if (ring.length === 0) return [];
    const names = ring.map((one) => `"${resourceName(one)}"`).join(", ");
    return [
      failure(
        path,
        `the deployments of the resources ${names} would swap their ${path}s, which is not possible in one update. Give one of them ${wanted.agent ? "an unused agent" : "an unused name"}, run \`pulumi up\`, and then give it its final ${path}`,
      ),
    ];
  }

  /** Returns the resources that wait for each other's names, starting with this one; empty if there is no cycle. */
  private findCycle(urn: string): string[] {
    const ring = [urn];
    for (;;) {
      const { wanted, previous: held } = this.all.get(ring.at(-1)!) ?? {};
      if (wanted === undefined || isSame(wanted, held)) return [];
      const holder = this.find(ring.at(-1)!, (other) => isSame(other.previous, wanted));
      if (holder === undefined) return [];
      if (holder === urn) return ring;
      if (ring.includes(holder)) return [];
      ring.push(holder);
    }
  }

  private find(urn: string, fits: (other: Sibling) => boolean): string | undefined {
    for (const [other, sibling] of this.all) if (other !== urn && fits(sibling)) return other;
    return undefined;
  }
}

function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && other !== undefined && keyOf(one) === keyOf(other);
}

function describeIdentity({ name, agent }: Identity): string {
  return agent ? `agent "${agent.agentId}" (${agent.environment}) is the agent` : `"${name}" is the name`;
}

function resourceName(urn: string): string {
  return urn.split("::").at(-1) ?? urn;
}
