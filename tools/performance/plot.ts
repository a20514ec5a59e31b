import type { Plot } from "./results";

const area = { left: 64, top: 44, width: 560, height: 320 };
const below = 52;
const legend = { gap: 24, line: 20, marker: 16, character: 6.6 };

/** Background colors of light and dark pages. */
export const backgrounds = { light: "#ffffff", dark: "#0d1117" };

/** Colors of the series, with a contrast ratio of at least 3 on both backgrounds. */
export const colors = [
  "#3b7dc4",
  "#d9542b",
  "#3a9150",
  "#b05cb8",
  "#a17a1f",
  "#2b9196",
  "#cf4f7f",
  "#7d7d8c",
];

const style = `text { font: 12px sans-serif; fill: #1f2328 }
.title { font-size: 14px; font-weight: bold }
.background { fill: ${backgrounds.light} }
.grid { stroke: #8b949e; stroke-opacity: 0.35 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .background { fill: ${backgrounds.dark} }
}`;

/**
 * Renders a plot as SVG that is readable on light and dark pages. The description contains every point as text. The
 * same plot always results in the same SVG.
 */
export function svgOf({ title, x, y, series }: Plot): string {
  const points = series.flatMap((one) => one.points);
  const across = scaleOf(
    points.map(([value]) => value),
    x.scale,
  );
  const up = scaleOf(
    points.map(([, value]) => value),
    y.scale,
  );
  const toX = (value: number) => round(area.left + across.position(value) * area.width);
  const toY = (value: number) => round(area.top + (1 - up.position(value)) * area.height);
  const right = area.left + area.width;
  const bottom = area.top + area.height;
  const longest = Math.max(...series.map(({ name }) => name.length));
  const width = Math.ceil(right + legend.gap + legend.marker + longest * legend.character + 12);
  const height = bottom + below;
  const middle = area.top + area.height / 2;

  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(descriptionOf({ x, y, series }))}</desc>`,
    `<style>${style}</style>`,
    `<rect class="background" width="${width}" height="${height}"/>`,
    `<text class="title" x="${area.left}" y="26">${escape(title)}</text>`,
    ...across.ticks.flatMap((tick) => [
      `<line class="grid" x1="${toX(tick)}" y1="${area.top}" x2="${toX(tick)}" y2="${bottom}"/>`,
      `<text x="${toX(tick)}" y="${bottom + 18}" text-anchor="middle">${tick}</text>`,
    ]),
    `<text x="${area.left + area.width / 2}" y="${bottom + 40}" text-anchor="middle">${escape(x.title)}</text>`,
    ...up.ticks.flatMap((tick) => [
      `<line class="grid" x1="${area.left}" y1="${toY(tick)}" x2="${right}" y2="${toY(tick)}"/>`,
      `<text x="${area.left - 8}" y="${toY(tick) + 4}" text-anchor="end">${tick}</text>`,
    ]),
    `<text x="18" y="${middle}" text-anchor="middle" transform="rotate(-90 18 ${middle})">${escape(y.title)}</text>`,
    ...series.flatMap(({ name, points, style }, index) => {
      const color = colors[index % colors.length]!;
      const marker = markers[index % markers.length]!;
      const places = points.map(([one, other]) => [toX(one), toY(other)] as const);
      const [legendX, legendY] = [right + legend.gap, area.top + 10 + index * legend.line];
      return [
        ...(style === "line"
          ? [
              `<polyline fill="none" stroke="${color}" stroke-width="2" points="${places.map((place) => place.join(",")).join(" ")}"/>`,
            ]
          : []),
        ...places.map(([left, top]) => `<path fill="${color}" d="M${left},${top}${marker}"/>`),
        `<path fill="${color}" d="M${legendX},${legendY}${marker}"/>`,
        `<text x="${legendX + legend.marker}" y="${legendY + 4}">${escape(name)}</text>`,
      ];
    }),
    "</svg>",
  ];
  return `${lines.join("\n")}\n`;
}

/** Marker shapes around a point. Together with the color, they distinguish the series. */
const markers = [
  "m-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0z",
  "m-4,-4h8v8h-8z",
  "m0,-5.5l5,9h-10z",
  "m0,-5.5l5.5,5.5l-5.5,5.5l-5.5,-5.5z",
  "m0,5.5l5,-9h-10z",
];

function descriptionOf({ x, y, series }: Pick<Plot, "x" | "y" | "series">): string {
  const all = series.map(
    ({ name, points }) => `${name}: ${points.map((point) => point.join(", ")).join("; ")}`,
  );
  return `${x.title} and ${y.title} of each point. ${all.join(". ")}.`;
}

/** Returns a mapping from values to positions between 0 and 1, and the values to label, which include both ends. */
function scaleOf(
  values: number[],
  kind: "linear" | "log",
): { ticks: number[]; position: (value: number) => number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const ticks = kind === "log" ? logTicks(least, most) : linearTicks(most);
  const transform = kind === "log" ? Math.log10 : (value: number) => value;
  const [start, end] = [transform(ticks[0]!), transform(ticks.at(-1)!)];
  return { ticks, position: (value) => (transform(value) - start) / (end - start) };
}

/** Returns powers of ten, multiplied by 1, 2, and 5, that enclose the values. */
function logTicks(least: number, most: number): number[] {
  const powers = Array.from({ length: 40 }, (_, index) => index - 20);
  const all = powers.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
  const first = all.findLastIndex((tick) => tick <= least);
  const last = all.findIndex((tick) => tick >= most && tick > all[first]!);
  return all.slice(first, last + 1);
}

/** Returns at most six evenly spaced values, starting from 0, that enclose the largest value. */
function linearTicks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most || 1));
  const step = [0.2, 0.5, 1, 2, 5].map((factor) => factor * power).find((one) => one * 5 >= most)!;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) =>
    round(index * step, 1e6),
  );
}

function round(value: number, precision = 10): number {
  return Math.round(value * precision) / precision;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
