/** Levels of lists and objects in a body; walking much deeper ones would exhaust the stack. */
export const deepestNesting = 100;

/** Whether JSON nests too deeply, judged by its text: nothing has to walk it for that. */
export function nestsTooDeeply(json: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (quoted && character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > deepestNesting) return true;
  }
  return false;
}
