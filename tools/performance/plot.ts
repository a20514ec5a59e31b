import type { Plot } from "./results";

/** Renders a plot as SVG that is readable on light and dark pages. */
export async function svgOf({ title, x, y, series }: Plot): Promise<string> {
  // ES modules with top-level await, which cannot be loaded with `require`.
  const [{ compile }, { parse, View }] = await Promise.all([import("vega-lite"), import("vega")]);
  const axis = (field: string, { title: name, scale }: Plot["x"]) => ({
    field,
    type: "quantitative" as const,
    title: name,
    scale: { type: scale, ...(scale === "linear" && { zero: true }) },
    axis: { format: "~g", tickCount: 6 },
  });
  const layer = (["line", "points"] as const).map((style) => ({
    data: {
      values: series
        .filter((one) => one.style === style)
        .flatMap(({ name, points }) => points.map(([across, up]) => ({ name, x: across, y: up }))),
    },
    mark:
      style === "line"
        ? { type: "line" as const, point: true }
        : { type: "point" as const, filled: true, size: 60 },
    encoding: {
      x: axis("x", x),
      y: axis("y", y),
      color: {
        field: "name",
        type: "nominal" as const,
        title: null,
        sort: series.map(({ name }) => name),
        legend: { labelLimit: 0 },
      },
    },
  }));
  const { spec } = compile({
    title,
    width: 560,
    height: 320,
    background: "white",
    padding: 12,
    layer,
    resolve: { scale: { color: "shared" } },
  });
  return `${await new View(parse(spec), { renderer: "none" }).toSVG()}\n`;
}
