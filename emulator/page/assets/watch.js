/**
 * Polls repeatedly, but only while the page is visible, and never more than once at a time.
 *
 * @param look - resolves when everything is shown; must not reject
 * @returns `{ now(), stop() }`
 */
export function watch(look, everyMs) {
  let timer;
  let looking = false;
  let again = false;
  let stopped = false;

  const turn = async () => {
    clearTimeout(timer);
    if (stopped || document.hidden) return;
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    do {
      again = false;
      await look();
    } while (again && !stopped);
    looking = false;
    if (!stopped) timer = setTimeout(turn, everyMs);
  };

  document.addEventListener("visibilitychange", turn);
  void turn();
  return {
    now: turn,
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", turn);
    },
  };
}
