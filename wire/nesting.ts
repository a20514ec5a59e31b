/** Maximum nesting depth of arrays and objects in a body. Traversing a much deeper body would overflow the stack. */
export const deepestNesting = 100;

/** True if JSON exceeds the maximum nesting. Scans the text instead of parsing it. */
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
