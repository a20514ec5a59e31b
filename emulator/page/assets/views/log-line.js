import { element, isolated } from "../dom.js";
import { localTime } from "../time.js";

// Colors and cursor movements that programs send to terminals.
const terminalCodes = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Creates one line of a log. */
export function logLine({ timestamp, level, message }) {
  const at = Date.parse(timestamp);
  const root = element(
    "div",
    { class: "log-line", "data-level": level },
    element("time", { datetime: timestamp, title: new Date(at).toLocaleString() }, localTime(at)),
    element("span", { class: "level" }, level),
    isolated(String(message).replaceAll(terminalCodes, ""), "span", { class: "message" }),
  );
  return { root };
}
