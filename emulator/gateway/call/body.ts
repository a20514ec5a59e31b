import { Refusal } from "./refusal";

/** Levels of lists and objects in a body; walking much deeper ones would exhaust the stack. */
const deepest = 100;

/** The JSON that a request carries; an empty body counts as `{}`. */
export async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === "") return {};
  if (isTooDeep(text)) throw new Refusal(422, `The body is nested deeper than ${deepest} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, "The body is not valid JSON.");
  }
}

/** The same for protocols with an answer of their own to what is no JSON: that is undefined. */
export async function jsonOrNothing(request: Request): Promise<unknown> {
  try {
    return await jsonOf(request);
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) return undefined;
    throw error;
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
