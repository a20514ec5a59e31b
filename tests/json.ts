/** Parses JSON as the type that the caller specifies. The type is not checked; a mismatch makes the test fail. */
export function readJson<Content>(text: string): Content {
  return JSON.parse(text) as Content;
}
