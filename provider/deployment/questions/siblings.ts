import { keyOf, type Identity } from "../inputs/identity";
import { failure, type Finding } from "../../resource/inputs/finding";

/** A deployment in the program, with the known parts of its identity. */
interface Sibling {
  ownerId: string;
  /** Identity of the deployment in the program. */
  wanted?: Identity;
  /** Identity of the deployment in state. */
  previous?: Identity;
}

/** The deployments in a program that have been checked so far, keyed by URN. Detects conflicts between them. */
export class Siblings {
  private readonly all = new Map<string, Sibling>();
  private readonly byOwner = new UrnIndex();
  private readonly byWanted = new UrnIndex();
  private readonly byPrevious = new UrnIndex();

  /** Records the current values of a resource. */
  record(urn: string, sibling: Sibling): void {
    const { ownerId, wanted, previous }: Partial<Sibling> = this.all.get(urn) ?? {};
    this.all.set(urn, sibling);
    this.byOwner.move(urn, ownerId, sibling.ownerId);
    this.byWanted.move(urn, wanted && keyOf(wanted), sibling.wanted && keyOf(sibling.wanted));
    this.byPrevious.move(urn, previous && keyOf(previous), sibling.previous && keyOf(sibling.previous));
  }

  /** True if the owner ID belongs to a resource in this program. */
  own(ownerId: string | undefined): boolean {
    return ownerId !== undefined && this.byOwner.find(ownerId) !== undefined;
  }

  /** Returns the conflicts between the identity of a resource and the identities of the other resources. */
  findings(urn: string): Finding[] {
    const { wanted } = this.all.get(urn) ?? {};
    if (wanted === undefined) return [];
    const duplicate = this.byWanted.find(keyOf(wanted), urn);
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
      if (wanted === undefined || (held && keyOf(wanted) === keyOf(held))) return [];
      const holder = this.byPrevious.find(keyOf(wanted), ring.at(-1));
      if (holder === undefined) return [];
      if (holder === urn) return ring;
      if (ring.includes(holder)) return [];
      ring.push(holder);
    }
  }
}

/** Index of URNs by a value that several resources may have in common, such as a name. */
class UrnIndex {
  private readonly urns = new Map<string, Set<string>>();

  /** Changes the value of a resource. `undefined` means that the resource has no value. */
  move(urn: string, from: string | undefined, to: string | undefined): void {
    if (from === to) return;
    if (from !== undefined) this.urns.get(from)?.delete(urn);
    if (to === undefined) return;
    const sharing = this.urns.get(to) ?? new Set();
    this.urns.set(to, sharing.add(urn));
  }

  /** Returns the first URN with this value, ignoring the URN in `except`. */
  find(value: string, except?: string): string | undefined {
    for (const urn of this.urns.get(value) ?? []) if (urn !== except) return urn;
    return undefined;
  }
}

function describeIdentity({ name, agent }: Identity): string {
  return agent ? `agent "${agent.agentId}" (${agent.environment}) is the agent` : `"${name}" is the name`;
}

function resourceName(urn: string): string {
  return urn.split("::").at(-1) ?? urn;
}
