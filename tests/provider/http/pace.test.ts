import { VirtualClock } from "../../../emulator/index";
import { AgentServerError } from "../../../provider/errors";
import { Pace } from "../../../provider/http/pace";

const asked = new AgentServerError("server_failed", "The control plane answered 429.");

function at(perSecond?: number) {
  const clock = new VirtualClock(0);
  return { clock, pace: new Pace({ now: () => clock.now(), sleep: clock.advancingSleep }, perSecond) };
}

/** When each of so many turns came, in milliseconds. */
async function turns(pace: Pace, clock: VirtualClock, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => pace.turn().then(() => clock.now())));
}

test("a burst of five seconds' requests is let through, and then so many a second, first come, first served", async () => {
  const { clock, pace } = at(2);

  expect(await turns(pace, clock, 14)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 1_000, 1_500, 2_000]);
});

test("what is not used is saved up for no more than the burst", async () => {
  const { clock, pace } = at(2);
  await turns(pace, clock, 10);
  await clock.advance(3_600_000);

  const after = (await turns(pace, clock, 12)).map((ms) => ms - 3_600_000);

  expect(after).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 1_000]);
});

test("without a limit nobody waits", async () => {
  const { clock, pace } = at();

  expect(new Set(await turns(pace, clock, 1_000))).toEqual(new Set([0]));
});

test("when the service asks for patience, everybody is patient", async () => {
  const { clock, pace } = at();
  pace.silence(20_000, asked);
  pace.silence(5_000, asked);

  expect(await turns(pace, clock, 3)).toEqual([20_000, 20_000, 20_000]);
});

test("who has no time for that fails at once with what the service said", async () => {
  const { clock, pace } = at();
  pace.silence(20_000, asked);

  await expect(pace.turn({ deadline: 19_000 })).rejects.toBe(asked);
  expect(clock.now()).toBe(0);
});

test("an interrupt ends the wait for a turn", async () => {
  const clock = new VirtualClock(0);
  const pace = new Pace(clock, 1);
  pace.silence(20_000, asked);
  const abort = new AbortController();
  const waiting = pace.turn({ signal: abort.signal });

  abort.abort(new Error("enough"));

  await expect(waiting).rejects.toThrow("enough");
});

test("the service's clock is read off its answers, to half a second", () => {
  const { pace } = at();
  expect(pace.clockDifferenceMs).toBeUndefined();
  pace.sawDate("yesterday");
  expect(pace.clockDifferenceMs).toBeUndefined();
  pace.sawDate(new Date(90_000).toUTCString());
  expect(pace.clockDifferenceMs).toBe(90_500);
});
