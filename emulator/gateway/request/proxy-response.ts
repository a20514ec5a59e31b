import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { responseHeaders } from "./headers";
import type { Call } from "./request-context";
import { endingWell, type Form } from "./truncated-stream";
import { withHeartbeat } from "./heartbeat";

/** Passes the agent's answer on as it arrives, with headers for the caller; `more` overrides them. */
export function passOn(
  answer: IncomingMessage,
  call: Call,
  { method = "GET", status, headers = {}, form }: PassingOptions = {},
): Response {
  const code = status ?? answer.statusCode ?? 502;
  const empty = method === "HEAD" || [204, 205, 304].includes(code);
  if (empty) answer.resume();
  const passed = responseHeaders(answer.rawHeaders, call.runtime.origin, call.base);
  for (const [name, value] of Object.entries(headers)) passed.set(name, value);
  const body = empty ? null : form ? keptOpen(answer, call, form) : Readable.toWeb(answer);
  return new Response(body as ConstructorParameters<typeof Response>[0], { status: code, headers: passed });
}

/** Returns the body of the agent's answer in this form, with heartbeats; the Python runtime sends them itself. */
export function keptOpen(
  answer: IncomingMessage | Promise<IncomingMessage>,
  { backstage, clock }: Pick<Call, "backstage" | "clock">,
  form: Form,
): ReadableStream<Uint8Array> {
  const body = endingWell(answer, form);
  return backstage.documented ? body : withHeartbeat(body, form.heartbeat, clock);
}

export interface PassingOptions {
  method?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Form with which the answer ends if the agent interrupts it; without one, the caller's connection is closed. */
  form?: Form;
}
