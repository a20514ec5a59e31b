import { element, isolated } from "../dom.js";
import { localTime } from "../time.js";

/** Creates one request of the journal, which can be expanded to show its body. */
export function requestItem({ entry, now }) {
  const query = new URLSearchParams(entry.query).toString();
  const notes = [
    entry.fault && `fault: ${entry.fault}`,
    entry.unknownFields.length > 0 && `unknown: ${entry.unknownFields.join(", ")}`,
  ].filter(Boolean);
  const summary = element(
    "summary",
    {},
    element("time", { datetime: entry.time }, localTime(Date.parse(entry.time), now)),
    element("span", { class: "method", "data-writes": entry.method !== "GET" }, entry.method),
    isolated(query ? `${entry.path}?${query}` : entry.path, "span", { class: "path" }),
    isolated(notes.join(" · "), "span", { class: "notes" }),
    element("span", { class: "code", "data-tone": toneOf(entry.status) }, String(entry.status || "reset")),
  );
  const body = entry.body === undefined ? "No body." : JSON.stringify(entry.body, undefined, 2);
  return { root: element("li", {}, element("details", {}, summary, isolated(body, "pre"))) };
}

function toneOf(status) {
  if (status === 0 || status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}
