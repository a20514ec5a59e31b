import { ended, toneOf } from "../data/status";

/** Status label that is colored by its tone. */
export function StatusPill({ status }: { status: string }) {
  const isMoving = !ended(status) && status !== "READY";
  return (
    <span class="pill" data-tone={toneOf(status)} data-moving={isMoving || undefined}>
      {status}
    </span>
  );
}
