/** Reads JSON as the type that the caller names; the test finds out whether it is that. */
export function readJson<Content>(text: string): Content {
  return JSON.parse(text) as Content;
}
