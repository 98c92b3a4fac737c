import type { MessagingSettings } from "@headwater/contracts";

type QuietHours = NonNullable<MessagingSettings["quietHours"]>;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Zones move their clocks by full quarters of an hour. */
const STEP_MINUTES = 15;

/**
 * Returns when the quiet hours that hold now end; undefined outside of them. `from` is included, `to` is not; hours may cross midnight.
 * @param zone IANA name of the recipient's time zone.
 */
export function quietUntil(
  quietHours: QuietHours | undefined,
  { channel, zone, nowMs }: { readonly channel: string; readonly zone: string; readonly nowMs: number },
): number | undefined {
  if (quietHours === undefined || !appliesTo(quietHours, channel)) return undefined;
  if (!isQuiet(quietHours, minuteOf(nowMs, zone))) return undefined;
  const start = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const end = minutes(quietHours.to);
  const left = (end - minuteOf(start, zone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  let until = start + left * MINUTE_MS;
  // A clock that was put forward or back meanwhile.
  for (let step = 0; step < 8 && isQuiet(quietHours, minuteOf(until, zone)); step++) until += STEP_MINUTES * MINUTE_MS;
  return until;
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

/** Minute of the day in a zone. */
function minuteOf(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return minutes(parts.format(ms));
}
