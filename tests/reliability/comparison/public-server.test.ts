import {
  type PublicServerDifference,
  publicServerDifferences as listed,
} from "../../../tools/coverage/public-server";
import { documentedOperation } from "../../clients/documented-operation";
import { describeWithPython } from "../../emulator/rollout/runtimes/python/available";
import { isLongRun, recordFigures } from "../figures";
import { shapesOf } from "./compare";
import type { Language } from "./graphs";
import { sequences as sequencesFor, type Step } from "./operations";
import { type Servers, startServers } from "./servers";
import { differencesBetween } from "./shape";

const languages: readonly Language[] = ["JavaScript", "Python"];
const sequences = sequencesFor(isLongRun);
const sent = sequences.flat();

interface Difference {
  operation: string;
  step: string;
  found: string;
  /** Beginning of the response, which helps to explain the difference. */
  excerpt: string;
}

describeWithPython("tests/reliability/comparison")("agents of the local control plane", () => {
  let servers: Servers;
  const differences = {} as Record<Language, Difference[]>;

  beforeAll(async () => {
    servers = await startServers();
    const { reference, local } = servers;
    const [expected, ...shapes] = await Promise.all(
      [reference, ...languages.map((language) => local[language])].map((server) =>
        shapesOf(server, sequences),
      ),
    );
    languages.forEach((language, which) => {
      differences[language] = sent.flatMap((step, place) =>
        differencesBetween(expected![place]!, shapes[which]![place]!).map((found) => ({
          operation: operationOf(step),
          step: step.what,
          found,
          excerpt: shapes[which]![place]!.excerpt,
        })),
      );
    });
  });
  afterAll(() => servers?.stop());
  afterAll(() =>
    recordFigures("public-server", {
      "operations sent to each server": sent.length,
      "documented differences": listed.length,
      "undocumented differences": languages.flatMap(undocumented).length,
    }),
  );

  const undocumented = (language: Language) =>
    (differences[language] ?? []).filter((one) => !listed.some((entry) => explains(entry, language, one)));

  test.each(languages)("matches the public server except for documented differences (%s)", (language) => {
    expect(undocumented(language)).toEqual([]);
  });

  test.each(languages)("shows every documented difference (%s)", (language) => {
    const gone = listed
      .filter(({ agents }) => agents.includes(language))
      .flatMap((entry) => {
        const seen = differences[language].filter((one) => explains(entry, language, one));
        const missing = entry.operations.filter((operation) =>
          seen.every((one) => one.operation !== operation),
        );
        return missing
          .filter((operation) => isLongRun || !entry.onlyInLongRun?.includes(operation))
          .map((operation) => `${operation}: ${entry.difference}`);
      });
    expect(gone).toEqual([]);
  });
});

function explains(
  { agents, operations, found, requests }: PublicServerDifference,
  language: Language,
  difference: Difference,
): boolean {
  return (
    agents.includes(language) &&
    operations.includes(difference.operation) &&
    found.test(difference.found) &&
    (!requests || requests.includes(difference.step.replace(/ \([\w, ]+\)$/, "")))
  );
}

function operationOf({ method, path }: Step): string {
  return documentedOperation(method, path.split("?")[0]!);
}
