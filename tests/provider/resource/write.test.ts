import { VirtualClock } from "../../../emulator/index";
import { timeoutError } from "../../../provider/deadline";
import { AgentServerError } from "../../../provider/errors";
import { sendOrDetect } from "../../../provider/resource/write";

const deadline = { at: 60_000, totalMs: 60_000, setBy: "rollout.timeout" };
const lost = new AgentServerError("connection_failed", "PATCH /d received no response.");
const late = timeoutError(deadline, "deployment d was not changed");

/** Sends a write that fails with each of these errors in turn. Records the times of requests and checks, in seconds. */
async function write(failures: unknown[], found: (check: number) => string | undefined = () => undefined) {
  const clock = new VirtualClock(0);
  const time = { clock: { now: () => clock.now(), sleep: clock.advancingSleep }, deadline };
  const events: string[] = [];
  const note = (event: string) => events.push(`${clock.now() / 1_000} ${event}`);
  const result = await sendOrDetect(time, {
    send: () => {
      note("send");
      const failure = failures.shift();
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- The failures are errors.
      return failure ? Promise.reject(failure) : Promise.resolve("sent");
    },
    check: async () => {
      note("check");
      return found(events.length);
    },
  }).catch((error: unknown) => error);
  return { events, result };
}

test.each([
  ["could not be sent in time", late],
  ["was never received", new AgentServerError("connection_failed", "refused", { notProcessed: true })],
  [
    "was rejected by a rate limit",
    new AgentServerError("server_failed", "429", { status: 429, notProcessed: true }),
  ],
  ["was rejected as invalid", new AgentServerError("request_refused", "400", { status: 400 })],
])("does not treat a write that %s as a lost response", async (_, error) => {
  expect(await write([error])).toEqual({ events: ["0 send"], result: error });
});

test("checks after a lost response, and sends again only if the write had no effect", async () => {
  expect(await write([lost])).toEqual({ events: ["0 send", "2 check", "2 send"], result: "sent" });
  expect(await write([lost], () => "found")).toEqual({ events: ["0 send", "2 check"], result: "found" });
});

test("fails with the error of the lost response if there is no time to check", async () => {
  const check = () => {
    throw late;
  };
  expect((await write([lost], check)).result).toBe(lost);
});
