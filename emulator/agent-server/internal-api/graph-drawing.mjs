import { getGraph } from "../runtime/modules.mjs";

/**
 * Returns the nodes and edges of a graph. Expands subgraphs if `xray` is true. If `xray` is a number, expands them only
 * to this depth. The runtime itself does not support a maximum depth.
 */
export async function drawGraph(graphId, { configurable, tags, metadata, recursion_limit }, xray) {
  const config = { configurable, tags, metadata, recursionLimit: recursion_limit };
  return draw(await getGraph(graphId, config, { accessContext: "assistants.read" }), config, xray);
}

async function draw(graph, config, xray) {
  const drawable = await graph.getGraphAsync({ ...config, xray: xray || undefined });
  const drawn = drawable.toJSON();
  if (xray) await openSmallOnes(drawn, graph, config, xray);
  return drawn;
}

/** Expands subgraphs with a single node, because the library does not expand them. */
async function openSmallOnes(drawn, graph, config, xray, prefix = "") {
  const below = typeof xray === "number" ? xray - 1 : xray;
  for await (const [name, subgraph] of graph.getSubgraphsAsync()) {
    const id = prefix + name;
    const closed = drawn.nodes.findIndex((node) => node.id === id);
    if (closed !== -1) open(drawn, closed, await draw(subgraph, config, below));
    else if (below) await openSmallOnes(drawn, subgraph, config, below, `${id}:`);
  }
}

function open(drawn, index, { nodes, edges }) {
  const inner = nodes.filter(({ id }) => !isEnd(id));
  if (inner.length !== 1) return;
  const [node] = inner;
  const { id } = drawn.nodes[index];
  const opened = `${id}:${node.id}`;
  const moved = (end) => (end === id ? opened : end);
  drawn.nodes[index] = { ...node, id: opened };
  drawn.edges = [
    ...drawn.edges.map((edge) => ({ ...edge, source: moved(edge.source), target: moved(edge.target) })),
    ...edges
      .filter(({ source, target }) => !isEnd(source) && !isEnd(target))
      .map((edge) => ({ ...edge, source: opened, target: opened })),
  ];
}

const isEnd = (id) => id === "__start__" || id === "__end__";
