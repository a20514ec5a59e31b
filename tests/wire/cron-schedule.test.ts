import { isSchedule, isTimeZone, neverFires, nextTimes } from "../../wire/cron-schedule";

const newYear = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

test.each([
  ["0 9 * * 1-5", true],
  ["*/5 * * * *", true],
  ["0 9 * * * 30", true],
  ["0 0 L * *", true],
  ["@hourly", true],
  ["@midnight", true],
  ["@ANNUALLY", true],
  ["0 9 * *", false],
  ["0 9 * * * 60", false],
  ["0 9 * * * 0 2027", false],
  ["61 9 * * *", false],
  ["@reboot", false],
  ["0 0 * * +1", false],
  ["0 0 * * 5L", false],
  ["0 0 LW * *", false],
  ["0 0 ? * ?", true],
  ["? 0 * * *", false],
  ["0 0 * ? *", false],
  ["0 0 * * * ?", false],
])("determines whether servers accept the schedule %s", (schedule, isValid) => {
  expect(isSchedule(schedule)).toBe(isValid);
});

test.each([
  ["0 9 * * * 30", [newYear + 9 * hour + 30_000, newYear + 33 * hour + 30_000]],
  ["*/30 * * * * 15,45", [newYear + 15_000, newYear + 45_000]],
  ["@daily", [newYear + 24 * hour, newYear + 48 * hour]],
])("returns the next run times of a schedule with seconds or a name: %s", (schedule, times) => {
  expect(nextTimes({ schedule }, newYear, 2)).toEqual(times);
});

test.each([
  ["0 0 30 2 *", true],
  ["0 0 31 4,6 *", true],
  ["0 0 29 2 *", false],
  ["0 0 31 2 1", false],
  ["@monthly", false],
])("determines whether the schedule %s never runs", (schedule, never) => {
  expect(neverFires(schedule)).toBe(never);
});

test.each([
  ["Europe/Berlin", true],
  ["Asia/Kolkata", true],
  ["Asia/Calcutta", true],
  ["EST5EDT", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["europe/berlin", false],
  ["+02:00", false],
  ["-05", false],
  ["", false],
])("determines whether %s is the name of an IANA time zone", (name, isName) => {
  expect(isTimeZone(name)).toBe(isName);
});

test("interprets a schedule in its time zone, and in UTC if none is specified", () => {
  const schedule = "0 9 * * *";
  expect(nextTimes({ schedule }, newYear, 2)).toEqual([newYear + 9 * hour, newYear + 33 * hour]);
  expect(nextTimes({ schedule, timezone: null }, newYear, 1)).toEqual([newYear + 9 * hour]);
  expect(nextTimes({ schedule, timezone: "Europe/Berlin" }, newYear, 1)).toEqual([newYear + 8 * hour]);
});

test("returns times up to and including the end time", () => {
  const timing = { schedule: "0 9 * * *", endTime: newYear + 33 * hour };
  expect(nextTimes(timing, newYear, 3)).toEqual([newYear + 9 * hour, newYear + 33 * hour]);
  expect(nextTimes({ ...timing, endTime: newYear }, newYear, 3)).toEqual([]);
  expect(nextTimes({ schedule: "0 0 30 2 *" }, newYear, 1)).toEqual([]);
});
