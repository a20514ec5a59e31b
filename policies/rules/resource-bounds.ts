import type { ResourceInputs } from "../resource/inputs";
import { specNumber, specPaths } from "../deployment/resource-spec";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { type Setting, texts } from "../pack/settings";
import type { Outcome } from "../resource/outcome";

interface Bounds {
  min?: number;
  max?: number;
}

const bounds: Setting<Record<string, Bounds>> = {
  type: "object",
  additionalProperties: {
    type: "object",
    properties: { min: { type: "number" }, max: { type: "number" } },
    additionalProperties: false,
  },
  description: "Minimum and maximum of numbers in `resourceSpec`, such as `memoryMb` or `maxScale`.",
  default: {
    cpu: { min: 0.1, max: 8 },
    cpuLimit: { min: 0.1, max: 16 },
    queueCpu: { min: 0.1, max: 8 },
    queueCpuLimit: { min: 0.1, max: 16 },
  },
};

/** Pairs of values of which the first must not exceed the second. */
const pairs = [
  ["minScale", "maxScale"],
  ["cpu", "cpuLimit"],
  ["memoryMb", "memoryLimitMb"],
] as const;
const ordered = ["", "queue"].flatMap((part) =>
  pairs.map(([small, great]) => [entry(part, small), entry(part, great)] as const),
);

export const resourceBounds = deploymentPolicy({
  name: "resource-bounds",
  text: "CPU, memory, and replicas must be within bounds, and limits must not be lower than requests.",
  severity: "medium",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    bounds,
    required: texts("Required fields of `resourceSpec`, such as `memoryLimitMb`."),
  },
  *check(deployment, { bounds, required }) {
    for (const [key, { min = -Infinity, max = Infinity }] of Object.entries(bounds))
      for (const path of specPaths(deployment, key))
        yield deployment.judge(path, (value) => {
          if (typeof value !== "number") return undefined;
          if (value < min) return { problem: `is below ${min}`, fix: `Set it to ${min} or more.` };
          return value > max ? { problem: `is above ${max}`, fix: `Set it to ${max} or less.` } : undefined;
        });
    for (const key of required)
      yield deployment.judge(`sourceConfig.resourceSpec.${key}`, () =>
        specPaths(deployment, key).length === 0 ? { problem: "is missing", fix: "Set it." } : undefined,
      );
    for (const [small, great] of ordered) yield inOrder(deployment, small, great);
  },
});

function inOrder(deployment: ResourceInputs, small: string, great: string): Outcome {
  return deployment.judge(`sourceConfig.resourceSpec.${great}`, () => {
    const [low, high] = [specNumber(deployment, small), specNumber(deployment, great)];
    return low !== undefined && high !== undefined && high < low
      ? { problem: `is below ${small}`, fix: `Set it to ${low} or more, or lower ${small}.` }
      : undefined;
  });
}

function entry(part: string, key: string): string {
  return part === "" ? key : part + key[0]!.toUpperCase() + key.slice(1);
}
