import { ended, toneOf } from "../data/status";

/** Displays a status as a label with the color of its tone. */
export function StatusPill({ status }: { status: string }) {
  const isMoving = !ended(status) && status !== "READY";
  return (
    <span class="pill" data-tone={toneOf(status)} data-moving={isMoving || undefined}>
      {status}
    </span>
  );
}
