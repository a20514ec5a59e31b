import { AgentServerError } from "../../../provider/errors";
import { previewDigest, readDigest } from "./digest";
import { engineEvent, readEvents } from "./events";
import type { Preview } from "./preview";

/**
 * Reads the output of `pulumi preview --json`: either the digest or the event stream.
 * @throws AgentServerError `bad_configuration` for any other input, which the error does not quote
 */
export function readPreview(text: string): Preview {
  const content = text.replace(/^\uFEFF/, "").trim();
  if (content === "") throw unreadable("it is empty");
  const whole = parsed(content);
  if (whole !== undefined && isDigest(whole)) {
    const digest = previewDigest.safeParse(whole);
    if (!digest.success) throw unreadable(whereIn(digest.error.issues[0]?.path));
    return readDigest(digest.data);
  }
  const events = content.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value = parsed(line);
    if (value === undefined)
      throw unreadable(`it contains invalid JSON starting at line ${index + 1}, or it is truncated`);
    const event = engineEvent.safeParse(value);
    if (!event.success) throw unreadable(`line ${index + 1} is not an engine event`);
    return [event.data];
  });
  if (!events.some((event) => Object.keys(event).length > 0))
    throw unreadable("it contains no preview events");
  return readEvents(events);
}

function isDigest(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return ["steps", "changeSummary", "diagnostics"].some((key) => Object.hasOwn(value, key));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whereIn(path: PropertyKey[] = []): string {
  return `${path.map(String).join(".")} does not have the expected format`;
}

function unreadable(reason: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `This is not the output of \`pulumi preview --json\`: ${reason}. Write that output to a file (\`pulumi preview --json > preview.json\`) and specify the file, or specify a stack with --stack.`,
  );
}
