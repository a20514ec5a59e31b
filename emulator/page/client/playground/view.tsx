import { Client } from "@langchain/langgraph-sdk";
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useMemo, useState } from "preact/hooks";
import { errorText } from "../data/error-text";
import type { Observation } from "../data/observer";
import { playgroundHref, type Route, type Section, sections } from "../data/route";
import { Untrusted } from "../elements/untrusted";
import { useTools } from "../tools";
import { AssistantContext, type AssistantList } from "./agent-context";
import { Chat } from "./chat/chat";
import { Assistants } from "./contents/assistants";
import { Crons } from "./contents/crons";
import { Store } from "./contents/store";
import { GraphView } from "./graph";
import { Threads } from "./threads/threads";

const titles: Record<Section, string> = {
  chat: "Chat",
  threads: "Threads",
  graph: "Graph",
  assistants: "Assistants",
  crons: "Crons",
  store: "Store",
};

/** Displays the playground of one deployment. Sends requests to its agent through the official SDK. */
export function Playground({ seen, route }: { seen: Observation; route: Route }) {
  const { session } = useTools();
  const { selected, deployments } = seen;
  const deploymentId = selected?.url ? selected.id : undefined;
  const client = useMemo(
    () =>
      new Client({
        apiUrl: `${location.origin}/agents/${deploymentId}`,
        apiKey: session.apiKey,
        callerOptions: { maxRetries: 0 },
      }),
    [deploymentId, session.apiKey],
  );
  if (!selected)
    return <p class="empty">{seen.lost ? "This deployment no longer exists." : "No deployments."}</p>;
  return (
    <section class="playground" aria-label="Playground">
      <header class="playground-head">
        <h2>
          Playground of <Untrusted text={selected.name} />
        </h2>
        <select
          aria-label="Deployment"
          value={selected.id}
          onChange={(event) => {
            location.hash = playgroundHref(event.currentTarget.value);
          }}
        >
          {deployments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <nav aria-label="Playground" class="sections">
          {sections.map((section) => (
            <a
              key={section}
              class="tab"
              href={playgroundHref(selected.id, section)}
              aria-current={section === route.section ? "page" : undefined}
            >
              {titles[section]}
            </a>
          ))}
        </nav>
      </header>
      {deploymentId ? (
        <Agent
          key={deploymentId}
          client={client}
          url={selected.url!}
          deploymentId={deploymentId}
          deploymentName={selected.name}
          route={route}
          now={seen.now}
        />
      ) : (
        <p class="empty">This deployment has no URL until a revision is deployed.</p>
      )}
    </section>
  );
}

interface AgentProps {
  client: Client;
  url: string;
  deploymentId: string;
  deploymentName: string;
  route: Route;
  now: number;
}

/** Displays the sections of the playground when the assistants of the agent are known. */
function Agent({ client, url, deploymentId, deploymentName, route, now }: AgentProps) {
  const [version, setVersion] = useState(0);
  const [list, setList] = useState<AssistantList>();
  const [chosenId, choose] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    client.assistants.search({ limit: 100 }).then(
      (found) => {
        setList(found);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(errorText(error)),
    );
  }, [client, version]);
  if (problem !== undefined)
    return (
      <div>
        <p class="problem" role="alert">
          The agent does not respond: {problem}
        </p>
        <button type="button" onClick={() => setVersion(version + 1)}>
          Try again
        </button>
      </div>
    );
  if (!list) return <p class="empty">Loading the assistants…</p>;
  const assistant = list.find(({ assistant_id: id }) => id === chosenId) ?? list[0];
  if (!assistant) return <p class="empty">The agent has no assistants.</p>;
  const { section, item, checkpointId } = route;
  const reload = () => setVersion(version + 1);
  const context = {
    client,
    url,
    deploymentId,
    deploymentName,
    assistants: list,
    assistant,
    choose,
    reload,
    now,
  };
  return (
    <AssistantContext.Provider value={context}>
      <Boundary key={section}>
        {section === "chat" && <Chat threadId={item} checkpointId={checkpointId} />}
        {section === "threads" && <Threads threadId={item} />}
        {section === "graph" && <GraphView />}
        {section === "assistants" && <Assistants assistantId={item} />}
        {section === "crons" && <Crons />}
        {section === "store" && <Store />}
      </Boundary>
    </AssistantContext.Provider>
  );
}

/** Shows an error if a view cannot display the responses of an agent. */
function Boundary({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary() as [unknown, () => void];
  if (error === undefined) return <>{children}</>;
  return (
    <div>
      <p class="problem" role="alert">
        This view cannot be shown: {(error as Error).message}
      </p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}
