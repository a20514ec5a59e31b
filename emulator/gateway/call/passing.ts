import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { responseHeaders } from "../headers";
import type { Call } from "./call";
import { endingWell, type Form } from "./cut";

/** The agent's answer as it comes in, with headers for the caller; `more` are set over them. */
export function passOn(
  answer: IncomingMessage,
  { base, runtime }: Pick<Call, "base" | "runtime">,
  { method = "GET", status, headers = {}, form }: PassingOptions = {},
): Response {
  const code = status ?? answer.statusCode ?? 502;
  const empty = method === "HEAD" || [204, 205, 304].includes(code);
  if (empty) answer.resume();
  const passed = responseHeaders(answer.rawHeaders, runtime.origin, base);
  for (const [name, value] of Object.entries(headers)) passed.set(name, value);
  const body = empty ? null : form ? endingWell(answer, form) : Readable.toWeb(answer);
  return new Response(body as ConstructorParameters<typeof Response>[0], { status: code, headers: passed });
}

export interface PassingOptions {
  method?: string;
  status?: number;
  headers?: Record<string, string>;
  /** How the answer ends if the agent breaks it off; without it, it breaks off for the caller. */
  form?: Form;
}
