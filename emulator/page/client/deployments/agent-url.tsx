import { playgroundHref } from "../data/route";
import type { Deployment } from "../data/types";
import { useTools } from "../tools";

/** Displays the URL of the agent, with a copy button and a link to the documentation on the agent's own origin. */
export function AgentUrl({ deployment: { id, url } }: { deployment: Deployment }) {
  const { plane, act } = useTools();
  const origin = ownOrigin(id);
  const openDocs = async () => {
    const { code } = await plane.agentSignInCode(id);
    window.open(`${origin}/.agentserver/sign-in#${code}`, "_blank", "noopener,noreferrer");
  };
  return (
    <div>
      <dt>URL</dt>
      <dd>
        {url ? (
          <span class="agent-url">
            <bdi dir="auto">{url}</bdi>
            <button
              type="button"
              class="small"
              aria-label="Copy the agent's URL"
              onClick={() => void act("URL copied.", () => navigator.clipboard.writeText(url))}
            >
              Copy
            </button>
            {origin !== undefined && (
              <a
                href={`${origin}/docs`}
                target="_blank"
                rel="noopener noreferrer"
                class="link"
                aria-label="Documentation of the agent's API"
                onClick={(event) => {
                  event.preventDefault();
                  void act("Opened the documentation in a new tab.", openDocs);
                }}
              >
                /docs
              </a>
            )}
            <a class="link" href={playgroundHref(id)}>
              Open in the playground
            </a>
          </span>
        ) : (
          <span>none until a revision is deployed</span>
        )}
      </dd>
    </div>
  );
}

/**
 * Returns the origin of a deployment, which is a subdomain of this page's host, or `undefined` if the page is served
 * from an IP address of another machine.
 */
function ownOrigin(deploymentId: string): string | undefined {
  const { protocol, hostname, port } = location;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  if (!isLocal && /^\[|^[\d.]+$/.test(hostname)) return undefined;
  return `${protocol}//${deploymentId}.${isLocal ? "localhost" : hostname}${port && `:${port}`}`;
}
