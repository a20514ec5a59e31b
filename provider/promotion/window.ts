/** Days of the week, in the order of the values of `Date.getDay()`. */
export const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
type Day = (typeof days)[number];

/** Period in which promotions are allowed. */
export interface PromotionWindow {
  /** Days on which the window opens; every day by default. */
  days?: readonly Day[] | undefined;
  /** Time at which the window opens, such as `09:00`. */
  from: string;
  /**
   * Time at which the window closes, such as `17:00`. If it is earlier than `from`, the window closes on the next day.
   */
  to: string;
  timeZone: string;
}

/** True if the window is open at this time. */
export function isOpen({ days: open = days, from, to, timeZone }: PromotionWindow, now: number): boolean {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(now);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)!.value;
  const time = `${part("hour")}:${part("minute")}`;
  const today = days.indexOf(part("weekday") as Day);
  const isOn = (day: number) => open.includes(days[(day + 7) % 7]!);
  if (from < to) return isOn(today) && from <= time && time < to;
  return (isOn(today) && from <= time) || (isOn(today - 1) && time < to);
}

/** Formats a window, for example `Mon, Tue 09:00–17:00 (Europe/Berlin)`. */
export function describeWindow({ days: open = days, from, to, timeZone }: PromotionWindow): string {
  const on = open.length === days.length ? "" : `${days.filter((day) => open.includes(day)).join(", ")} `;
  return `${on}${from}–${to} (${timeZone})`;
}

export function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone }));
  } catch {
    return false;
  }
}
