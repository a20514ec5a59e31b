import { backgrounds, colors, svgOf } from "../../../tools/performance/plot";
import type { Plot } from "../../../tools/performance/results";

const plot: Plot = {
  file: "time",
  title: "Time & size",
  x: { title: "size", scale: "log" },
  y: { title: "seconds", scale: "linear" },
  series: [
    {
      name: "<ours>",
      style: "line",
      points: [
        [1, 0],
        [10, 5],
        [100, 10],
      ],
    },
    { name: "theirs", style: "points", points: [[10, 10]] },
  ],
};

/** Returns the positions of the markers in a plot. */
function markersIn(svg: string): [number, number][] {
  return [...svg.matchAll(/<path [^>]*d="M([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

function contrast(first: string, second: string): number {
  const [lighter, darker] = [luminance(first), luminance(second)].sort((one, other) => other - one);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

test("places points on a logarithmic and a linear scale", () => {
  const [first, second, third, ofLegend, only] = markersIn(svgOf(plot));

  expect(second![0] - first![0]).toBe(third![0] - second![0]);
  expect(first![1] - second![1]).toBe(second![1] - third![1]);
  expect(first![0]).toBeLessThan(second![0]);
  expect(first![1]).toBeGreaterThan(second![1]);
  expect(only).toEqual([second![0], third![1]]);
  expect(ofLegend![0]).toBeGreaterThan(third![0]);
});

test("connects only the points of series with the line style", () => {
  expect(svgOf(plot).match(/<polyline/g)).toHaveLength(1);
});

test("draws a valid plot if there is only one point", () => {
  const series: Plot["series"] = [{ name: "one", style: "points", points: [[3, 0]] }];

  expect(svgOf({ ...plot, series })).not.toMatch(/NaN|Infinity/);
  expect(svgOf({ ...plot, x: { title: "size", scale: "linear" }, series })).not.toMatch(/NaN|Infinity/);
});

test("describes every point as text, and escapes names", () => {
  const svg = svgOf(plot);

  expect(svg).toContain(`<title id="title">Time &amp; size</title>`);
  expect(svg).toContain(
    "size and seconds of each point. &lt;ours&gt;: 1, 0; 10, 5; 100, 10. theirs: 10, 10.</desc>",
  );
  expect(svg).not.toContain("<ours>");
});

test.each(colors)("uses %s, which has enough contrast on light and dark pages", (color) => {
  expect(contrast(color, backgrounds.light)).toBeGreaterThanOrEqual(3);
  expect(contrast(color, backgrounds.dark)).toBeGreaterThanOrEqual(3);
});

test("distinguishes eleven series by color or shape", () => {
  const series = Array.from({ length: 11 }, (_, index): Plot["series"][number] => ({
    name: `${index}`,
    style: "points",
    points: [[1, 1]],
  }));
  const looks = [...svgOf({ ...plot, series }).matchAll(/<path (fill="[^"]*") d="M[\d.]+,[\d.]+([^"]*)"/g)];

  expect(new Set(looks.map(([, color, shape]) => `${color} ${shape}`)).size).toBe(11);
});
