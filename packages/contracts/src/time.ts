const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads an ISO 8601 date or timestamp. Without a zone it is UTC; a date alone is its midnight in `timezone`.
 * @returns milliseconds since 1970, or undefined when it is no date.
 */
export function parseTime(text: string, timezone = "UTC"): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (hour === undefined) return midnight(`${year}-${month}-${day}`, timezone);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  const millis = fraction === undefined ? 0 : Number(fraction.padEnd(3, "0").slice(0, 3));
  const base = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
    millis,
  );
  const shift = zoneMinutes(zone);
  return shift === undefined ? undefined : base - shift * 60_000;
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function zoneMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function midnight(date: string, timezone: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  if (timezone === "UTC") return utc;
  const first = utc - offsetMs(utc, timezone);
  return utc - offsetMs(first, timezone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the zone's clock is ahead of UTC at that instant. */
function offsetMs(instant: number, timezone: string): number {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(timezone, format);
  }
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/** RFC 3339, UTC, milliseconds: `2026-01-09T22:47:12.000Z`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
