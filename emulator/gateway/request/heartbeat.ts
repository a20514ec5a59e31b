import type { Clock } from "../../clock";

/** Idle time after which a heartbeat is sent, in milliseconds. The public server uses the same value. */
const silenceMs = 5000;

/**
 * Returns the stream with `beat` inserted whenever it is idle, so that clients and proxies do not close the connection.
 * Each chunk of the stream must be a complete unit.
 */
export function withHeartbeat(
  stream: ReadableStream<Uint8Array>,
  beat: string,
  clock: Clock,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const text = new TextEncoder().encode(beat);
  let cancelTimer = (): void => undefined;
  const wait = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    cancelTimer();
    cancelTimer = clock.after(silenceMs, () => {
      // A client that is not reading does not need a heartbeat.
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(text);
      wait(controller);
    });
  };
  return new ReadableStream({
    start: wait,
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return wait(controller);
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      cancelTimer();
    },
    cancel(reason) {
      cancelTimer();
      return reader.cancel(reason);
    },
  });
}

/** Resolves with the value, or with `undefined` if a heartbeat is due first. */
export async function withinSilence<Value>(value: Promise<Value>, clock: Clock): Promise<Value | undefined> {
  let cancelTimer = (): void => undefined;
  const silence = new Promise<undefined>((resolve) => {
    cancelTimer = clock.after(silenceMs, () => resolve(undefined));
  });
  return Promise.race([value, silence]).finally(cancelTimer);
}
