/** Time for which sends of a template are one message. */
export type Aggregation = "daily" | "hourly";

export interface ChildOf {
  readonly mdtId: string;
  readonly aggregation: Aggregation;
  /** IANA name: the account's zone. */
  readonly timezone: string;
}

/** Returns the id of a template's message of a day or an hour: `<mdtID>:dYYMMDD` or `<mdtID>:hYYMMDDHH`. @param atMs milliseconds since 1970. */
export function childMessageId({ mdtId, aggregation, timezone }: ChildOf, atMs: number): string {
  const two = "2-digit";
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: timezone, hourCycle: "h23", year: two, month: two, day: two, hour: two },
  });
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const at = (...names: readonly Intl.DateTimeFormatPartTypes[]) => names.map((name) => parts.get(name) ?? "").join("");
  const period = aggregation === "daily" ? `d${at("year", "month", "day")}` : `h${at("year", "month", "day", "hour")}`;
  return `${mdtId}:${period}`;
}
