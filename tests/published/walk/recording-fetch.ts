import type { Recorder } from "./recorder";

/**
 * A `fetch` whose exchanges are recorded. Of streams only the media type is kept: they may never end.
 *
 * @param base - What all paths are below.
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
