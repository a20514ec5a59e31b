/** Parses JSON as the type that the caller specifies, without checking it; a mismatch makes the test fail. */
export function readJson<Content>(text: string): Content {
  return JSON.parse(text) as Content;
}
