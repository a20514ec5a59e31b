import { Command } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { withHelp } from "../help";
import { desktopBrowser } from "../open/browser";
import { openAddress, type OpenOptions } from "../open/open-address";

/** Creates the `open` command, which opens the control plane or a deployment in the browser. */
export function openCommand(): Command {
  const command = new Command("open")
    .description(
      "open the web console of the control plane, the URL of a deployment, or an API reference in the browser",
    )
    .argument("[deployment]", "name or ID of the deployment; by default, the control plane")
    .option("--docs", "open the API reference of the control plane or of the deployment's agent server")
    .option("--print", "print the address only");
  return withHelp(withConnectionFlags(command), {
    examples: ["agentserver open", "agentserver open support-agent --docs"],
    notes: "The address is always printed. On a machine without a desktop, no browser is opened.",
    exitCodes: "0 success; 1 an error; 130 Ctrl-C.",
  }).action((deployment: string | undefined, options: OpenOptions) =>
    runCommand((context) => openAddress(context, deployment, options, desktopBrowser(context.env))),
  );
}
