import { Progress } from "../../tools/progress";

/** Clock that is advanced manually. */
class TestClock {
  private time = 0;
  private readonly actions: { periodMs: number; next: number; action: () => void }[] = [];

  now = () => this.time;

  every = (periodMs: number, action: () => void) => {
    const entry = { periodMs, next: this.time + periodMs, action };
    this.actions.push(entry);
    return () => void this.actions.splice(this.actions.indexOf(entry), 1);
  };

  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [due] = this.actions.filter(({ next }) => next <= end).sort((a, b) => a.next - b.next);
      if (!due) break;
      this.time = due.next;
      due.next += due.periodMs;
      due.action();
    }
    this.time = end;
  }
}

function recorder(isTTY: boolean, columns?: number) {
  const stream = {
    isTTY,
    columns,
    written: [] as string[],
    write: (text: string) => stream.written.push(text),
  };
  return stream;
}

test("prints lines at the start, every 30 s, and at the end if the output is not a terminal", async () => {
  const [stream, clock] = [recorder(false), new TestClock()];

  const result = await new Progress(stream, clock).step("building", async (report) => {
    clock.pass(30_000);
    report("compiling");
    clock.pass(44_000);
    return 7;
  });

  expect(result).toBe(7);
  expect(stream.written.join("")).toBe(
    "building…\nbuilding (30s so far)\nbuilding: compiling (60s so far)\n✓ building  74.0s\n",
  );
});

test("replaces a live line with the final line on a terminal", async () => {
  const [stream, clock] = [recorder(true), new TestClock()];

  await new Progress(stream, clock).step("building", async (report) => {
    report("compiling");
    clock.pass(3_240);
  });

  expect(
    stream.written.slice(0, -1).every((text) => text.startsWith("\r\x1b[2K") && !text.includes("\n")),
  ).toBe(true);
  expect(stream.written[0]).toBe("\r\x1b[2K⠋ building  0s");
  expect(stream.written.at(-2)).toMatch(/building: compiling {2}3s$/);
  expect(stream.written.at(-1)).toBe("\r\x1b[2K✓ building  3.2s\n");
});

test("truncates a live line to the width of the terminal", async () => {
  const [stream, clock] = [recorder(true, 20), new TestClock()];

  await new Progress(stream, clock).step(
    "a label that is longer than the terminal is wide",
    async () => undefined,
  );

  expect(stream.written[0]!.replace("\r\x1b[2K", "")).toHaveLength(19);
});

test("assumes 80 columns for a terminal that reports 0", async () => {
  const [stream, clock] = [recorder(true, 0), new TestClock()];

  await new Progress(stream, clock).step("a label ".repeat(20), async () => undefined);

  expect(stream.written[0]!.replace("\r\x1b[2K", "")).toHaveLength(79);
});

test("marks a failed step, rethrows its error, and stops updating the live line", async () => {
  const [stream, clock] = [recorder(false), new TestClock()];
  const failing = () => Promise.reject(new Error("no"));

  await expect(new Progress(stream, clock).step("building", failing)).rejects.toThrow("no");
  clock.pass(60_000);

  expect(stream.written).toEqual(["building…\n", "✗ building  0.0s\n"]);
});
