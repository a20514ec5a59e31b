import { parseAllDocuments } from "yaml";
import { storeResults } from "../../tools/performance/results";
import { parseManifests } from "../../sdk/manifests/parse";
import { median } from "../median";

const rounds = 9;
const small = 990;
const large = 9_900;
/** Number of fields that exceeds the limit for a document. */
const excessive = 40_000;

void main();

/**
 * Compares the duration of parsing manifests with many fields to that of the YAML parser alone, which does not check
 * for duplicates.
 */
function main(): void {
  const sizes = [small, large, excessive];
  const texts = sizes.map(manifest);
  const unknown = manifest(large).replaceAll("    KEY_", "  key_");
  const ours: number[][] = [...sizes.map(() => []), []];
  const bare: number[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    texts.forEach((text, index) => {
      bare[index]!.push(milliseconds(() => parseAllDocuments(text, { uniqueKeys: false })));
      ours[index]!.push(milliseconds(() => parseManifests({ manifests: [{ path: "a.yaml", text }] })));
    });
    ours[3]!.push(milliseconds(() => parseManifests({ manifests: [{ path: "a.yaml", text: unknown }] })));
  }
  const [readSmall, readLarge, refused, wrong] = ours.map(median) as [number, number, number, number];
  const [parsedSmall, parsedLarge, parsedExcessive] = bare.map(median) as [number, number, number];
  const row = (what: string, parsed: number, read: number) => [what, parsed.toFixed(1), read.toFixed(1)];
  process.exitCode = storeResults("manifests", {
    tables: [
      {
        title: `One manifest, medians of ${rounds} rounds`,
        columns: ["", "YAML parser alone, ms", "with all checks, ms"],
        rows: [
          row(`${small} fields`, parsedSmall, readSmall),
          row(`${large} fields`, parsedLarge, readLarge),
          row(`${large} fields, all unknown`, parsedLarge, wrong),
          row(`${excessive} fields, rejected`, parsedExcessive, refused),
        ],
      },
    ],
    bounds: [
      {
        what: `time per field, ${large} fields compared with ${small}`,
        measured: ratio(readLarge / large, readSmall / small),
        most: 2,
      },
      { what: `${large} fields, compared with the parser`, measured: ratio(readLarge, parsedLarge), most: 4 },
      {
        what: `${excessive} fields, compared with the parser`,
        measured: ratio(refused, parsedExcessive),
        most: 2,
      },
    ],
  });
}

function manifest(fields: number): string {
  const variables = Array.from({ length: fields }, (_, index) => `    KEY_${index}: value`).join("\n");
  return `apiVersion: agentserver/v1
kind: Deployment
metadata: { name: many }
spec:
  source: github
  sourceConfig: { repoUrl: "https://git.example.com/agents" }
  sourceRevisionConfig: { repoRef: main }
  environmentVariables:
${variables}
`;
}

function milliseconds(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function ratio(one: number, other: number): number {
  return Math.round((100 * one) / other) / 100;
}
