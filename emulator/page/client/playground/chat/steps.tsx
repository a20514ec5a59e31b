import { Untrusted } from "../../elements/untrusted";
import type { Step } from "../agent/transcript";

const tones = { running: "build", done: "good", failed: "bad", waiting: "warn" };

/** Displays the steps of the last run, oldest first. Each step can be expanded to show its result. */
export function Steps({ steps }: { steps: Step[] }) {
  return (
    <section aria-label="Steps">
      <h3>
        Steps <span class="count">{steps.length}</span>
      </h3>
      <ol class="steps">
        {steps.map(({ id, name, status, result, error }) => (
          <li key={id}>
            <details>
              <summary>
                <Untrusted text={name} tag="span" class="tool-name" />
                <span class="pill" data-tone={tones[status]} data-moving={status === "running" || undefined}>
                  {status}
                </span>
              </summary>
              <Untrusted text={error ?? JSON.stringify(result ?? null, undefined, 2)} tag="pre" />
            </details>
          </li>
        ))}
      </ol>
      {steps.length === 0 && <p class="quiet small">The steps of a run appear here.</p>}
    </section>
  );
}
