import { Command } from "commander";
import { runCommand } from "../command-process";
import { type ConnectionFlags, withConnectionFlags } from "../connection";
import { showDiagnosis } from "../doctor/show-diagnosis";
import { withHelp } from "../help";

/** Creates the `doctor` command, which checks the installation and the connection to the control plane. */
export function doctorCommand(): Command {
  const command = new Command("doctor").description(
    "check the installation and the connection to the control plane, and show how to fix each problem",
  );
  return withHelp(withConnectionFlags(command), {
    examples: ["agentserver doctor", "agentserver doctor --stack dev"],
    exitCodes: "0 no problem; 1 a problem; 130 Ctrl-C.",
  }).action((flags: ConnectionFlags) => runCommand((context) => showDiagnosis(context, flags)));
}
