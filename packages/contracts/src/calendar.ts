export const DAY_MS = 86_400_000;

export function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(utcMs(year, month, 0)).getUTCDate();
}

/** The calendar repeats itself after so many years. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;

/** `Date.UTC` takes the years 0 to 99 for those of the twentieth century. */
export function utcMs(year: number, month: number, day: number): number {
  return Date.UTC(year + CYCLE_YEARS, month, day) - CYCLE_MS;
}

/** @returns how far a written zone is ahead of UTC; undefined when there is none such. */
export function zoneMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
