import { isSchedule, isTimeZone, nextTimes } from "../../wire/cron-schedule";

const newYear = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

test.each([
  ["0 9 * * 1-5", true],
  ["*/5 * * * *", true],
  ["0 9 * *", false],
  ["0 0 9 * * *", false],
  ["61 9 * * *", false],
  ["@daily", false],
])("accepts schedules of five fields only: %s", (schedule, isValid) => {
  expect(isSchedule(schedule)).toBe(isValid);
});

test("knows IANA time zones only", () => {
  expect([isTimeZone("Europe/Berlin"), isTimeZone("Mars/Olympus")]).toEqual([true, false]);
});

test("counts in UTC by default and in the time zone otherwise", () => {
  const schedule = "0 9 * * *";
  expect(nextTimes({ schedule }, newYear, 2)).toEqual([newYear + 9 * hour, newYear + 33 * hour]);
  expect(nextTimes({ schedule, timezone: null }, newYear, 1)).toEqual([newYear + 9 * hour]);
  expect(nextTimes({ schedule, timezone: "Europe/Berlin" }, newYear, 1)).toEqual([newYear + 8 * hour]);
});

test("ends at the end time, inclusive", () => {
  const timing = { schedule: "0 9 * * *", endTime: newYear + 33 * hour };
  expect(nextTimes(timing, newYear, 3)).toEqual([newYear + 9 * hour, newYear + 33 * hour]);
  expect(nextTimes({ ...timing, endTime: newYear }, newYear, 3)).toEqual([]);
  expect(nextTimes({ schedule: "0 0 30 2 *" }, newYear, 1)).toEqual([]);
});
