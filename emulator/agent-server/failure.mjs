import { fileURLToPath } from "node:url";
import { relative, sep } from "node:path";

/**
 * Returns the message of an exception. Adds the position in the project at which the exception was thrown, if the stack
 * trace contains it.
 */
export function describeFailure(error, root) {
  const text = shorten(message(error), root);
  const at =
    error instanceof Error && !(error instanceof SyntaxError) ? place(error.stack ?? "", root) : undefined;
  return { message: text, ...(at ? { at } : {}), stack: stackOf(error) };
}

function message(error, depth = 0) {
  if (!(error instanceof Error))
    return typeof error === "string"
      ? error
      : `a value other than an Error was thrown: ${inspectBriefly(error)}`;
  const own = error.message === "" ? error.name : `${error.name}: ${error.message}`;
  const causes =
    error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  if (depth >= 2 || causes.length === 0) return own;
  return `${own} (caused by ${causes.map((cause) => message(cause, depth + 1)).join("; ")})`;
}

function stackOf(error) {
  return error instanceof Error ? (error.stack ?? message(error)) : message(error);
}

function inspectBriefly(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value;
  }
}

/** Makes absolute paths in the checkout relative to the root of the repository. */
function shorten(text, root) {
  return text.replaceAll(`file://${root}${sep}`, "").replaceAll(`${root}${sep}`, "");
}

function place(stack, root) {
  for (const line of stack.split("\n")) {
    const frame = /^\s*at .*?\(?((?:file:\/\/)?\/[^()]*?)(?:\?[^():]*)?:(\d+):(\d+)\)?$/.exec(line);
    if (!frame) continue;
    const file = frame[1].startsWith("file://") ? fileURLToPath(frame[1]) : frame[1];
    if (file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`)) {
      return `${relative(root, file)}:${frame[2]}:${frame[3]}`;
    }
  }
  return undefined;
}
