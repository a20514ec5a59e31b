import { deepestNesting, nestsTooDeeply } from "../../nesting";
import { Refusal } from "./refusal";

/** The JSON that a request carries; an empty body counts as `{}`. */
export async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === "") return {};
  if (nestsTooDeeply(text))
    throw new Refusal(422, `The body is nested deeper than ${deepestNesting} levels.`);
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
