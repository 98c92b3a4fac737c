/// <reference lib="esnext.temporal" />

/** Time for which sends of a template are one message. */
export type Aggregation = "daily" | "hourly";

export interface ChildOf {
  readonly mdtId: string;
  readonly aggregation: Aggregation;
  /** IANA name: the account's zone. */
  readonly timezone: string;
}

/** A day or an hour of a template. */
export interface ChildMessage {
  /** `<mdtID>:dYYMMDD` or `<mdtID>:hYYMMDDHH`. */
  readonly id: string;
  /** End of the day or hour, milliseconds since 1970. */
  readonly endsAt: number;
}

/** Returns the message of the day or hour of a template that an instant lies in. @param atMs milliseconds since 1970. */
export function childMessage({ mdtId, aggregation, timezone }: ChildOf, atMs: number): ChildMessage {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  const two = (number: number) => String(number % 100).padStart(2, "0");
  const day = [at.year, at.month, at.day].map(two).join("");
  if (aggregation === "daily") {
    return { id: `${mdtId}:d${day}`, endsAt: at.add({ days: 1 }).startOfDay().epochMilliseconds };
  }
  const end = at.round({ smallestUnit: "hour", roundingMode: "floor" }).add({ hours: 1 });
  return { id: `${mdtId}:h${day}${two(at.hour)}`, endsAt: end.epochMilliseconds };
}

const CHILD = /^([0-9a-f]{24}):([dh]\d{6}(?:\d{2})?)$/;

/** Returns the template and the period of a child's id; undefined for any other text. */
export function parseChildId(id: string): { readonly mdtId: string; readonly period: string } | undefined {
  const [, mdtId, period] = CHILD.exec(id) ?? [];
  return mdtId === undefined || period === undefined ? undefined : { mdtId, period };
}
