import { setTimeout as sleep } from "node:timers/promises";
import { ownHeaders } from "../token.mjs";
import { serializeAsDict } from "./modules.mjs";

const pausesMs = [0, 500, 2000];
const answerWithinMs = 10_000;

/**
 * Calls the webhook of a run when the run ends. The runtime also does this, but in the runtime, an unreachable URL
 * permanently stops a worker.
 */
export async function callWebhook(address, payload, origin) {
  const isOwn = address.startsWith("/");
  const url = isOwn ? origin + address : address;
  let fault;
  for (const pause of pausesMs) {
    await sleep(pause);
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...(isOwn ? ownHeaders : {}) },
        // A redirect must not pass the token on to another server.
        redirect: isOwn ? "manual" : "follow",
        body: serializeAsDict(payload),
        signal: AbortSignal.timeout(answerWithinMs),
      });
      await answer.body?.cancel();
      if (answer.status < 500) return;
      fault = `it returned ${answer.status}`;
    } catch (error) {
      fault = error.cause?.message ?? error.message;
    }
  }
  console.warn(`Warning: the webhook of run ${payload.run_id} could not be called: ${fault}.`);
}
