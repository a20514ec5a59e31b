import { AgentServerError } from "../errors";
import type { ServiceTexts } from "./service";

/** Number of rows to request per page. */
export const pageSize = 100;

/** Maximum number of pages to read. A longer list is assumed to be endless. */
const mostPages = 1_000;

/** A paginated list. */
interface PagedList<Row> {
  /** Name of the request, for example `GET /rows`. */
  name: string;
  /** Reads the page that starts at `offset`. A server that does not support `offset` always returns the first page. */
  read: (offset: number) => Promise<Row[]>;
  /** Returns a key that is unique to a row. */
  keyOf: (row: Row) => string;
}

/**
 * Yields the rows of a paginated list page by page, each row once. A server may return fewer rows per page than
 * requested, so a page with fewer rows is not necessarily the last one. A page that is shorter than an earlier page is
 * the last one.
 * @param texts wording that describes the service in the error for an endless list
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
    "unexpected_response",
    `${name} returned ${mostPages} full pages without reaching the end of the list. ${texts.checkAddress}`,
  );
}

/** Returns all rows of a paginated list. */
export async function allOf<Row>(pages: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
