import { deepestNesting, nestsTooDeeply } from "../../nesting";
import { Refusal } from "./refusal";

/** Returns the JSON body of a request. An empty body is treated as `{}`. */
export async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === "") return {};
  if (nestsTooDeeply(text))
    throw new Refusal(422, `The body is nested more than ${deepestNesting} levels deep.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, "The body is not valid JSON.");
  }
}

/**
 * Returns the JSON body of a request, or `undefined` if the body is not JSON. Used for protocols that define their own
 * response to invalid JSON.
 */
export async function jsonOrUndefined(request: Request): Promise<unknown> {
  try {
    return await jsonOf(request);
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) return undefined;
    throw error;
  }
}
