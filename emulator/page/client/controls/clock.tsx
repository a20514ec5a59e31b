import { Card } from "../elements/card";
import { Field, Form } from "../elements/fields";
import { useTools } from "../tools";

const leaps: [string, number][] = [
  ["10 s", 10],
  ["1 min", 60],
  ["10 min", 600],
  ["1 h", 3600],
];

/** Displays the control that advances virtual time. */
export function ClockControl({ virtualTime }: { virtualTime: boolean }) {
  const { plane, act } = useTools();
  const advance = (seconds: number, text: string) =>
    void act(`Clock advanced by ${text}.`, () =>
      plane.admin("POST", "clock/advance", { ms: seconds * 1000 }),
    );
  return (
    <Card title="Clock" explanation="Virtual time advances only when you advance it here.">
      {virtualTime ? (
        <div>
          <div class="buttons">
            {leaps.map(([text, seconds]) => (
              <button key={text} type="button" onClick={() => advance(seconds, text)}>
                + {text}
              </button>
            ))}
          </div>
          <Form onSubmit={({ seconds }) => advance(Number(seconds), `${seconds} s`)}>
            <Field
              title="Seconds"
              name="seconds"
              type="number"
              min={0}
              step="any"
              defaultValue={30}
              required
            />
            <div class="buttons">
              <button type="submit" class="primary">
                Advance clock
              </button>
            </div>
          </Form>
        </div>
      ) : (
        <p>This control plane uses the system clock, which cannot be advanced.</p>
      )}
    </Card>
  );
}
