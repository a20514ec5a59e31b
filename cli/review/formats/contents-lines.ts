import type { Held, Interruption } from "../report";
import { line, listed, type Line } from "./line";

/** Maximum number of item names on one line. The JSON report lists all of them. */
const mostNames = 10;

/** Returns the lines that list the items that would be lost. Items that are not recreated come first. */
export function contentsLines({ held = [], namespaces = [] }: Interruption): Line[] {
  const lost = held.filter(({ resource }) => resource === undefined);
  const again = held.filter(({ resource }) => resource !== undefined);
  return [
    ...named("Not recreated", lost.map(contentsLine)),
    ...named(
      "Recreated by this program",
      again.map(({ resource, kind }) => line`${resource!}${[` (${kind})`]}`),
    ),
    ...named(
      "In the store",
      namespaces.map((namespace) => line`${namespace}`),
    ),
  ];
}

function contentsLine({ kind, id, name }: Held): Line {
  return name === undefined ? line`${[`${kind} `]}${id}` : line`${[`${kind} `]}${name}${[" ("]}${id}${[")"]}`;
}

function named(title: string, names: Line[]): Line[] {
  if (names.length === 0) return [];
  const rest = names.length - mostNames;
  const more: Line[] = rest > 0 ? [[`and ${rest} more`]] : [];
  return [[`${title}: `, ...listed([...names.slice(0, mostNames), ...more])]];
}
