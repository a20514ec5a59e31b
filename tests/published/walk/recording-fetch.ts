import type { Recorder } from "./recorder";

/**
 * Returns a `fetch` function that records its exchanges. For streams, only the media type is recorded, because they may
 * be endless.
 *
 * @param base prefix of all paths
 */
export function recordingFetch(base: string, recorder: Recorder): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const answer = await fetch(input, init);
    const media = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const text = media === "text/event-stream" ? "" : await answer.clone().text();
    const body: unknown =
      media === "application/json" ? JSON.parse(text) : media === "" && text === "" ? undefined : text;
    const sent = typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    recorder.record(init?.method ?? "GET", url.slice(base.length), sent, {
      status: answer.status,
      media,
      body,
    });
    return answer;
  };
}
