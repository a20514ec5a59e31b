import { Graph as Layout, layout } from "@dagrejs/dagre";
import type { AssistantGraph } from "@langchain/langgraph-sdk";
import { useMemo } from "preact/hooks";
import { AssistantChoice, useGraph } from "./agent-context";

const nodeHeight = 34;
const characterWidth = 8;
const margin = 12;

/** Displays the graph of the selected assistant. */
export function GraphView() {
  return (
    <div class="graph-view">
      <AssistantChoice />
      <GraphPicture running={new Set()} visited={new Set()} />
    </div>
  );
}

interface GraphPictureProps {
  /** Nodes that are running, and nodes that have completed. */
  running: Set<string>;
  visited: Set<string>;
}

/** Draws the graph of the selected assistant, and highlights the nodes that are running. */
export function GraphPicture({ running, visited }: GraphPictureProps) {
  const { value: graph, problem } = useGraph();
  const picture = useMemo(() => graph && placed(graph), [graph]);
  if (problem !== undefined) return <p class="problem">The graph cannot be shown: {problem}</p>;
  if (!picture) return <p class="quiet">Loading the graph…</p>;
  const { width, height, nodes, edges } = picture;
  const active = nodes.filter(({ id }) => running.has(id)).map(({ id }) => id);
  const stateOf = (id: string) => (running.has(id) ? "running" : visited.has(id) ? "visited" : undefined);
  return (
    <figure class="graph">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={descriptionOf(picture, active)}
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0,0 L8,4 L0,8 z" />
          </marker>
        </defs>
        {edges.map(({ source, target, path, isConditional, label, x, y }) => (
          <g key={`${source} ${target} ${label}`} class="edge" data-conditional={isConditional || undefined}>
            <path d={path} marker-end="url(#arrow)" />
            {label && (
              <text x={x} y={y}>
                {label}
              </text>
            )}
          </g>
        ))}
        {nodes.map(({ id, name, x, y, width: wide }) => (
          <g key={id} class="node" data-state={stateOf(id)} data-end={id.startsWith("__") || undefined}>
            <rect x={x - wide / 2} y={y - nodeHeight / 2} width={wide} height={nodeHeight} rx={8} />
            <text x={x} y={y}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

interface PlacedNode {
  id: string;
  name: string;
  x: number;
  y: number;
  width: number;
}

interface PlacedEdge {
  source: string;
  target: string;
  isConditional: boolean;
  label: string;
  path: string;
  x: number;
  y: number;
}

interface Picture {
  width: number;
  height: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
}

function placed(graph: AssistantGraph): Picture {
  const picture = new Layout({ multigraph: true });
  picture.setGraph({ nodesep: 36, ranksep: 44, marginx: margin, marginy: margin });
  picture.setDefaultEdgeLabel(() => ({}));
  const widthOf = (text: string) => text.length * characterWidth + 28;
  for (const { id } of graph.nodes)
    picture.setNode(String(id), { width: widthOf(String(id)), height: nodeHeight });
  graph.edges.forEach(({ source, target, data }, place) => {
    const label = data ?? "";
    const size = label === "" ? {} : { width: widthOf(label), height: 18, labelpos: "c" };
    picture.setEdge({ v: source, w: target, name: String(place) }, size);
  });
  layout(picture);
  const { width = 0, height = 0 } = picture.graph() as { width?: number; height?: number };
  const nodes = graph.nodes.map(({ id }) => {
    const { x, y, width: wide } = picture.node(String(id)) as { x: number; y: number; width: number };
    return { id: String(id), name: nameOf(String(id)), x, y, width: wide };
  });
  const edges = graph.edges.map(({ source, target, data = "", conditional = false }, place) => {
    const {
      points,
      x = 0,
      y = 0,
    } = picture.edge({ v: source, w: target, name: String(place) }) as {
      points: { x: number; y: number }[];
      x?: number;
      y?: number;
    };
    return { source, target, isConditional: conditional, label: data, path: pathOf(points), x, y };
  });
  return { width, height, nodes, edges };
}

function pathOf(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return `M${first} L${rest.join(" L")}`;
}

function nameOf(id: string): string {
  return id === "__start__" ? "start" : id === "__end__" ? "end" : id;
}

/** Returns the description for users who cannot see the picture. */
function descriptionOf({ nodes, edges }: Picture, active: string[]): string {
  const steps = edges.map(({ source, target }) => `${nameOf(source)} to ${nameOf(target)}`);
  const now = active.length > 0 ? ` Running: ${active.join(", ")}.` : "";
  return `Graph with ${nodes.length} nodes. Edges: ${steps.join("; ")}.${now}`;
}
