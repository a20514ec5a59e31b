/** Control of repeated polling. */
export interface Watch {
  /** Polls immediately or, if a poll is in progress, as soon as it ends. */
  now: () => void;
  stop: () => void;
}

/**
 * Polls repeatedly, but only while the page is visible, and never more than once at a time.
 *
 * @param look - resolves when everything is shown; must not reject
 */
export function watch(look: () => Promise<void>, everyMs: number): Watch {
  const state = { isLooking: false, isStale: false, isStopped: false };
  const isActive = () => !state.isStopped && !document.hidden;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const turn = async () => {
    clearTimeout(timer);
    if (!isActive()) return;
    state.isStale = true;
    if (state.isLooking) return;
    state.isLooking = true;
    while (state.isStale && isActive()) {
      state.isStale = false;
      await look();
    }
    state.isLooking = false;
    if (isActive()) timer = setTimeout(now, everyMs);
  };
  const now = () => void turn();

  document.addEventListener("visibilitychange", now);
  now();
  return {
    now,
    stop: () => {
      state.isStopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", now);
    },
  };
}
