import { errorText } from "../../../../emulator/page/client/data/error-text";
import { ago, localTime } from "../../../../emulator/page/client/data/time";

test("returns an empty text for a time that the server does not report", () => {
  expect(ago(NaN, 1000)).toBe("");
  expect(localTime(NaN, 1000)).toBe("");
  expect(ago(0, 60_000)).toBe("1 min ago");
});

test.each([
  ['HTTP 503: {"detail":"It is being restarted."}', "It is being restarted. (HTTP 503)"],
  ['HTTP 422: {"detail":[{"msg":"wrong"}]}', 'HTTP 422: {"detail":[{"msg":"wrong"}]}'],
  ["HTTP 502: {broken}", "HTTP 502: {broken}"],
  ["network error", "network error"],
])("formats the error %s for users", (message, text) => {
  expect(errorText(new Error(message))).toBe(text);
});
