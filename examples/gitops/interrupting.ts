/** Time between the two interrupts, in milliseconds. */
const secondInterruptMs = 200;

/**
 * Runs Pulumi so that it ends soon after a stop. At the first interrupt it would wait for the rollouts; they go on at
 * the control plane without it, and the next update finds them. The Automation API sends one at each "abort".
 */
export async function interrupting<Result>(
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal } = new AbortController();
  const interrupt = () => signal.dispatchEvent(new Event("abort"));
  const onStop = () => {
    interrupt();
    setTimeout(interrupt, secondInterruptMs).unref();
  };
  stop.throwIfAborted();
  stop.addEventListener("abort", onStop);
  try {
    return await work(signal);
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}
