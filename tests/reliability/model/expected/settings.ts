import type { Ledger } from "../record/ledger";
import { countIn } from "../record/ledger";
import type { Program } from "../sequence/program";
import type { DeploymentView } from "../world/plane-view";
import type { OwnedSettings } from "./expected";

/** Returns the settings of a deployment, with the resource that its ownership tag identifies. */
export function ownedSettings(view: DeploymentView, ledger: Ledger): OwnedSettings {
  const { tag, ...settings } = view.settings;
  return { ...settings, owner: ledger.ownerOf(view), creates: tag === undefined ? 1 : countIn(tag) };
}

/** Returns the settings of a deployment that a program creates. */
export function newSettings(program: Program, owner: string): OwnedSettings {
  const { name, deploymentType, buildOnPush, cpu, secret } = program;
  return { name, deploymentType, buildOnPush, cpu, secret: secret ?? undefined, owner, creates: 1 };
}

/**
 * Returns the settings of a deployment after some groups of a program's fields were sent. The secrets include the
 * ownership tag.
 */
export function sentSettings(
  there: OwnedSettings,
  program: Program,
  sends: { buildOnPush: boolean; spec: boolean; secrets: boolean },
  tag: Pick<OwnedSettings, "owner" | "creates">,
): OwnedSettings {
  return {
    ...there,
    ...(sends.buildOnPush && { buildOnPush: program.buildOnPush }),
    ...(sends.spec && { cpu: program.cpu }),
    ...(sends.secrets && { secret: program.secret ?? there.secret, ...tag }),
  };
}
