import { join } from "node:path";
import { repositoryRoot, workFolder } from "../repository";

/** Where the quickstart keeps what it makes; all of it is below the ignored work folder. */
export const places = {
  /** The local control plane's state. */
  controlPlane: join(workFolder, "control-plane"),
  controlPlaneLog: join(workFolder, "control-plane.log"),
  /** The engine's stacks and home. */
  engine: join(workFolder, "engine"),
  /** Passphrase of the stacks' secrets. */
  passphrase: join(workFolder, "passphrase"),
  /** The git repository that the example agent is deployed from. */
  agentRepository: join(workFolder, "agent.git"),
  /** Held by the command that works on the stack. */
  lock: join(workFolder, "stack.lock"),
  /** Settings of the stack; `Pulumi.yaml` names this folder. */
  stackConfig: join(workFolder, "config"),
};

/** The example agent's folder, which `npm run up` deploys as it stands. */
export const agentFolder = join(repositoryRoot, "examples", "quickstart", "agent");

/** Name of the quickstart's stack. */
export const stackName = "local";
