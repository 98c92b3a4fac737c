/// <reference lib="esnext.temporal" />
import { canonicalTimezone, parseTime, toPlainTime } from "@headwater/contracts";
import type { FilterImplOptions } from "liquidjs";
import { canonicalLocale, LOCALE_DEFAULT } from "./locale.ts";
import { strftime } from "./strftime.ts";
import type { OnLiquidWarning } from "./warning.ts";

export interface DateFilterOptions {
  /** IANA name of the account's zone. */
  readonly timezone: string;
  readonly onWarning?: OnLiquidWarning | undefined;
}

/** A day of the calendar, which is the same day in every zone, or an instant. */
type ReadDate =
  | { readonly kind: "day"; readonly day: Temporal.PlainDate }
  | { readonly kind: "instant"; readonly instant: Temporal.Instant };

interface FilterThis {
  readonly context: { readonly memoryLimit: { use(characters: number): void } };
}

/** Value and arguments of a filter, as a template gives them. */
interface DateInput {
  readonly value: unknown;
  readonly zone?: unknown;
  readonly locale?: unknown;
}

const FORMAT_DEFAULT = "%A, %B %-e, %Y at %-l:%M %P %z";
const VALUE_CHARACTERS_DISPLAYED = 100;

/**
 * Returns the filters that write dates, by name. They read dates as everything else does: a date alone is a day, a time without a zone is UTC,
 * and what is not a date becomes an empty text and a warning. The zone of the host does not matter.
 */
export function dateFilters({ timezone, onWarning }: DateFilterOptions): Readonly<Record<string, FilterImplOptions>> {
  const zoneOf = (input: unknown): string => {
    const zone = readZone(input, timezone);
    if (zone === undefined) onWarning?.({ code: "unknown_zone", message: `${view(input)} is not a time zone.` });
    return zone ?? timezone;
  };
  const write = (
    { context: { memoryLimit } }: FilterThis,
    { value, zone, locale = LOCALE_DEFAULT }: DateInput,
    formatFor: string | ((day: number) => string),
  ): string => {
    if (value === undefined || value === null || value === "") return "";
    const date = readDate(value);
    if (date === undefined) {
      onWarning?.({ code: "not_a_date", message: `${view(value)} is not a date: it is left empty.` });
      return "";
    }
    const at = inZone(date, zoneOf(zone));
    const format = typeof formatFor === "string" ? formatFor : formatFor(at.day);
    memoryLimit.use(format.length);
    return strftime(at, format, {
      locale: canonicalLocale(locale),
      onPadding: (characters) => memoryLimit.use(characters),
    });
  };
  const writeMonth = (self: FilterThis, month: string, { value, type, style }: OrdinalDate): string => {
    const ordinal = (day: number) => (style === "US" ? `${month} ${day}%q, %Y` : `${day}%q ${month} %Y`);
    return write(self, { value }, type === "ordinal" ? ordinal : `%d ${month} %Y`);
  };
  return {
    date(value, format, zone, locale) {
      return write(this, { value, zone, locale }, String(format ?? FORMAT_DEFAULT));
    },
    date_to_xmlschema(value) {
      return write(this, { value }, "%Y-%m-%dT%H:%M:%S%:z");
    },
    date_to_rfc822(value) {
      return write(this, { value }, "%a, %d %b %Y %H:%M:%S %z");
    },
    date_to_string(value, type, style) {
      return writeMonth(this, "%b", { value, type, style });
    },
    date_to_long_string(value, type, style) {
      return writeMonth(this, "%B", { value, type, style });
    },
  };
}

interface OrdinalDate {
  readonly value: unknown;
  readonly type: unknown;
  readonly style: unknown;
}

function readDate(value: unknown): ReadDate | undefined {
  if (value === "now" || value === "today") return instantOf(Date.now());
  if (typeof value === "number") return DAY_NUMBER.test(String(value)) ? readText(String(value)) : readSeconds(value);
  return typeof value === "string" ? readText(value) : undefined;
}

/** A number such as 20160201 is a day: as seconds since 1970 it would be one in August 1970. */
const DAY_NUMBER = /^(?:19|20)\d{6}$/;
/** Fewer digits are too easily something else than seconds since 1970. */
const SECONDS = /^\d{9,11}$/;
const SECONDS_MIN = 100_000_000;
const SECONDS_MAX = 253_402_300_799;

function readText(text: string): ReadDate | undefined {
  const milliseconds = parseTime(text);
  if (milliseconds === undefined) return SECONDS.test(text) ? readSeconds(Number(text)) : undefined;
  const plain = toPlainTime(text);
  return plain?.length === DAY_CHARACTERS
    ? { kind: "day", day: Temporal.PlainDate.from(plain) }
    : instantOf(milliseconds);
}

const DAY_CHARACTERS = "2026-01-31".length;

/** @param seconds since 1970, as Liquid has them. */
function readSeconds(seconds: number): ReadDate | undefined {
  const size = Math.abs(seconds);
  return size >= SECONDS_MIN && size <= SECONDS_MAX ? instantOf(Math.floor(seconds * 1_000)) : undefined;
}

function instantOf(milliseconds: number): ReadDate {
  return { kind: "instant", instant: Temporal.Instant.fromEpochMilliseconds(milliseconds) };
}

function inZone(date: ReadDate, zone: string): Temporal.ZonedDateTime {
  return date.kind === "day" ? date.day.toZonedDateTime(zone) : date.instant.toZonedDateTimeISO(zone);
}

const OFFSET = /^[+-]\d{2}:?\d{2}$/;
const OFFSET_MINUTES_MAX = 24 * 60;

/** Reads the zone of a filter. Templates of before may have offsets: as texts, or in minutes to the west. @returns undefined for what is not a zone. */
function readZone(provided: unknown, fallback: string): string | undefined {
  if (provided === undefined || provided === null) return fallback;
  if (typeof provided === "number") return offsetOf(provided);
  if (typeof provided !== "string") return undefined;
  return canonicalTimezone(provided) ?? (OFFSET.test(provided) ? offsetText(provided) : undefined);
}

function offsetOf(minutesWest: number): string | undefined {
  if (!Number.isInteger(minutesWest) || Math.abs(minutesWest) >= OFFSET_MINUTES_MAX) return undefined;
  const minutes = Math.abs(minutesWest);
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${minutesWest > 0 ? "-" : "+"}${clock}`;
}

function offsetText(offset: string): string | undefined {
  const [hours = 24, minutes = 60] = [offset.slice(1, 3), offset.slice(-2)].map(Number);
  return hours < 24 && minutes < 60 ? offset : undefined;
}

function view(value: unknown): string {
  return JSON.stringify(value)?.slice(0, VALUE_CHARACTERS_DISPLAYED) ?? typeof value;
}
