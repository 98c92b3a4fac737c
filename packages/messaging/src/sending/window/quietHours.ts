import type { MessagingSettings } from "@headwater/contracts";

type QuietHours = NonNullable<MessagingSettings["quietHours"]>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/** Zones move their clocks by quarters of an hour, at quarters of an hour. */
const QUARTER_MINUTES = 15;
const QUARTER_MS = QUARTER_MINUTES * MINUTE_MS;

/**
 * Returns when the quiet hours that hold now end; undefined outside of them. `from` is included, `to` is not; hours may cross midnight.
 * @param zone IANA name of the recipient's time zone.
 */
export function quietUntil(
  quietHours: QuietHours | undefined,
  { channel, zone, nowMs }: { readonly channel: string; readonly zone: string; readonly nowMs: number },
): number | undefined {
  if (quietHours === undefined || !appliesTo(quietHours, channel)) return undefined;
  const minuteOf = clockOf(zone);
  if (!isQuiet(quietHours, minuteOf(nowMs))) return undefined;
  const start = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const end = minutes(quietHours.to);
  const left = (end - minuteOf(start) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const until = start + left * MINUTE_MS;
  return minuteOf(until) === end ? until : (searchEnd(quietHours, start, minuteOf) ?? until);
}

/** Finds the end in a night in which the clock is moved: at a quarter of an hour, or where the clock shows `to`. */
function searchEnd(quietHours: QuietHours, start: number, minuteOf: (ms: number) => number): number | undefined {
  const first = Math.floor(start / QUARTER_MS) * QUARTER_MS;
  const past = (minutes(quietHours.to) - minuteOf(first) + DAY_MINUTES) % QUARTER_MINUTES;
  for (let quarter = first; quarter < start + 2 * DAY_MS; quarter += QUARTER_MS) {
    const found = [quarter, quarter + past * MINUTE_MS].find((ms) => ms > start && !isQuiet(quietHours, minuteOf(ms)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function appliesTo({ channels }: QuietHours, channel: string): boolean {
  return channels === undefined || channels.includes(channel);
}

function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  const [begin, end] = [minutes(from), minutes(to)];
  return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

function minutes(time: string): number {
  const [hours = "0", rest = "0"] = time.split(":");
  return Number(hours) * 60 + Number(rest);
}

/** Returns a reader of the minute of the day in a zone. */
function clockOf(zone: string): (ms: number) => number {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (ms) => minutes(clock.format(ms));
}
