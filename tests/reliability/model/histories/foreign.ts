import type { DialectName } from "../../../../wire";
import { canary } from "../../../provider/world";
import type { World } from "../../../provider/world";
import { ask } from "../world/plane-view";
import type { ForeignAction } from "./history";
import type { Observed } from "./observed";

/** Changes that other actors made to one deployment. */
export interface Foreign {
  /** Fields that these actors may have changed. */
  fields: string[];
  /** Values that these actors assigned to variables, or `null` if they removed a variable. */
  variables: Record<string, string | null>;
  /** Revisions that these actors created. */
  revisions: string[];
  /** True if these actors removed the ownership tag. */
  losesTag: boolean;
  isDeleted: boolean;
}

export const noForeign = (): Foreign => ({
  fields: [],
  variables: {},
  revisions: [],
  losesTag: false,
  isDeleted: false,
});

/** Fields of the source that the newest revision is built from. */
const sourceFields = ["ref", "path", "image", "upload"];

/**
 * Performs an action of another actor.
 * @returns the resulting changes
 */
export async function actOn(
  world: World,
  dialect: DialectName,
  there: Observed,
  action: ForeignAction,
): Promise<Foreign> {
  const path = `/v2/deployments/${there.id}`;
  const result = noForeign();
  const patch = async (body: object) => {
    await ask(world, "PATCH", path, body);
    const { resources } = (await ask(world, "GET", `${path}/revisions?limit=100`)) as {
      resources: { id: string }[];
    };
    result.revisions = resources
      .map(({ id }) => id)
      .filter((id) => !there.revisions.some((one) => one.id === id));
  };
  const environment = Object.entries(there.fields)
    .filter(([field]) => field.startsWith("env."))
    .map(([field, value]) => ({ name: field.slice("env.".length), value: String(value) }));
  const tag = there.tag === undefined ? [] : [{ name: "AGENTSERVER_OWNER", value: there.tag }];
  switch (action.does) {
    case "push":
      result.revisions = [world.admin.pushRevision(there.id)];
      break;
    case "roll out":
      if (there.fields["source"] === "external_docker")
        await patch({ source_revision_config: { image_uri: "registry.example.com/theirs:1" } });
      else if (there.fields["source"] === "github")
        await patch({ source_revision_config: { repo_ref: "theirs" } });
      else result.revisions = [world.admin.pushRevision(there.id)];
      result.fields = sourceFields;
      break;
    case "set variable": {
      const others = environment.filter(({ name }) => name !== action.name);
      const value = action.value === "rotated" ? rotatedValue(action.name) : action.value;
      const set = value === null ? [] : [{ name: action.name, value }];
      const all = [...others, ...set, ...tag];
      // The public service does not clear an environment.
      if (all.length === 0) break;
      await patch({ secrets: all });
      result.variables[action.name] = value;
      result.fields = [`env.${action.name}`];
      break;
    }
    case "replace environment":
      await patch({ secrets: [{ name: "THEIRS", value: `${canary}-theirs` }] });
      for (const { name } of environment) result.variables[name] = null;
      result.variables["THEIRS"] = `${canary}-theirs`;
      result.fields = Object.keys(result.variables).map((name) => `env.${name}`);
      result.losesTag = true;
      break;
    case "resize":
      if (dialect !== "langsmith" || there.fields["source"] === "external_docker") break;
      await patch({
        deployment_tier: there.fields["deploymentType"] === "dedicated" ? "DEDICATED_L" : "SERVERLESS_L",
      });
      result.fields = ["compute", "database"];
      break;
    case "rename":
      await patch({ display_name: "Theirs" });
      result.fields = ["displayName"];
      break;
    case "change spec":
      if (dialect === "langsmith" && there.fields["source"] !== "external_docker") break;
      await patch({ source_config: { resource_spec: { cpu: 4 } } });
      result.fields = ["spec.cpu", "spec.memory_mb"];
      break;
    case "delete":
      await ask(world, "DELETE", path);
      result.isDeleted = true;
      break;
    case "create":
      throw new Error("Only an absent deployment can be created.");
  }
  return result;
}

/** Returns a new value for a variable. Values of plain variables may be shown. */
function rotatedValue(name: string): string {
  return name === "LOG" || name === "REGION" ? "rotated" : `${canary}-rotated`;
}
