const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** Returns a duration in its two largest units, such as `1 min 12 s`. */
export function duration(exact: number): string {
  if (!(exact >= 0)) return "0 s";
  if (exact < 999.5) return `${Math.round(exact)} ms`;
  if (exact < 9950) return `${(exact / 1000).toFixed(1)} s`;
  const ms = Math.round(exact / 1000) * 1000;
  const first = units.findIndex(([size]) => ms >= size);
  const [size, name] = units[first]!;
  const rest = units[first + 1];
  const more = rest ? Math.floor((ms % size) / rest[0]) : 0;
  return `${Math.floor(ms / size)} ${name}${rest && more > 0 ? ` ${more} ${rest[1]}` : ""}`;
}

/** Returns the time since `at`, such as `3 min ago`; empty if the time is not known. */
export function ago(at: number, now: number): string {
  if (Number.isNaN(at)) return "";
  const passed = now - at;
  if (passed < 5000) return "just now";
  const [size, name] = units.find(([length]) => passed >= length)!;
  return `${Math.floor(passed / size)} ${name} ago`;
}

const dayFormat = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hour12: false });

/**
 * Returns the time of day in the user's time zone, with the date if it is not today; empty if the time is not known.
 */
export function localTime(at: number, now = at): string {
  if (Number.isNaN(at)) return "";
  const date = new Date(at);
  const sameDay = date.toDateString() === new Date(now).toDateString();
  return sameDay ? timeFormat.format(date) : `${dayFormat.format(date)}, ${timeFormat.format(date)}`;
}
