import { recordFigures } from "../figures";
import { callWithAnswer, cases, counted } from "./content-calls";
import { oddities } from "./oddities";

afterAll(() => recordFigures("hostile-contents", counted));

/** Responses that take a long time to create. They are tested with only one kind. */
const large = Object.keys(oddities).filter((what) => /MB|deep|flood|20,000/.test(what));

test.each(cases)("sends a request (%s, %s) to %s", async (kind, what, endpoint) => {
  expect(await callWithAnswer(kind, what, endpoint, undefined)).toContain(endpoint);
});

test.each(cases)("reports a clear error (%s, %s) for any response from %s", async (kind, what, endpoint) => {
  for (const [name, answer] of Object.entries(oddities))
    if ((kind === "cron" && what === "read") || !large.includes(name)) {
      const requests = await callWithAnswer(kind, what, endpoint, answer);
      const writes = requests.filter((one) => /^(POST|PUT|PATCH)/.test(one) && !one.endsWith("/search"));
      expect([name, writes.length < 20]).toEqual([name, true]);
    }
});
