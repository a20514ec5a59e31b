import type { Observation } from "../data/observer";
import { Head } from "./head";
import { DeploymentList } from "./list";
import { Log } from "./log";
import { Timeline } from "./timeline";

/** Displays a list of all deployments and the details of the selected one. */
export function DeploymentsView({ seen }: { seen: Observation }) {
  return (
    <>
      <DeploymentList seen={seen} />
      {seen.selected ? (
        <section class="detail" aria-label="Deployment">
          <Head seen={seen} deployment={seen.selected} />
          <div class="split">
            <Timeline seen={seen} deployment={seen.selected} />
            <Log revision={seen.revision} />
          </div>
        </section>
      ) : (
        <p class="empty">{emptiness(seen)}</p>
      )}
    </>
  );
}

function emptiness({ lost, deployments }: Observation): string {
  if (lost) return "This deployment no longer exists.";
  if (deployments.length > 0) return "";
  return "No deployments yet. Run `pulumi up` with a program that declares one, and it appears here.";
}
