import { AgentServerError } from "../errors";
import type { ServiceTexts } from "./service";

/** Rows that are asked for at a time. */
export const pageSize = 100;

/** Most pages that are read; a list that is longer has no end. */
const mostPages = 1_000;

/** A list that comes in pages. */
interface PagedList<Row> {
  /** What is read, for example `GET /rows`. */
  name: string;
  /** Reads the page that starts at `offset`; a server that does not know `offset` answers the first page always. */
  read: (offset: number) => Promise<Row[]>;
  /** What distinguishes a row from all others. */
  keyOf: (row: Row) => string;
}

/**
 * The rows of a list that comes in pages, a page at a time, each row once. A server may cap its pages at fewer rows than
 * were asked for, so a short page alone does not end the list; a page that is shorter than one before it does.
 * @param texts what an error of a list that shows no end says about the service
 */
export async function* pagesOf<Row>(
  texts: ServiceTexts,
  { name, read, keyOf }: PagedList<Row>,
): AsyncGenerator<Row[]> {
  const seen = new Set<string>();
  let longest = 0;
  for (let offset = 0, pages = 0; pages < mostPages; pages += 1) {
    const rows = await read(offset);
    const fresh = rows.filter((row) => !seen.has(keyOf(row)));
    if (fresh.length === 0) return;
    for (const row of fresh) seen.add(keyOf(row));
    yield fresh;
    if (rows.length < longest) return;
    longest = Math.max(longest, rows.length);
    offset += rows.length;
  }
  throw new AgentServerError(
    "unexpected_answer",
    `${name} was answered ${mostPages} full pages without reaching an end. ${texts.checkAddress}`,
  );
}

/** All rows of such a list. */
export async function allOf<Row>(pages: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
