import { type Account, canonicalTimezone, type ExportHeader, type ExportOptions } from "@headwater/contracts";
import { readInstant } from "@headwater/criteria";
import { isKeptHere } from "../storage/chooseDestination.ts";
import {
  below,
  type ConfigurationProblems,
  createConfigurationProblems,
  type ExportBody,
  expectKnown,
} from "./configurationProblems.ts";
import { type FileForm, readFileForm } from "./fileForm.ts";
import type { Watermarks } from "./watermarks.ts";

/** A body that was read, but for the members that are the route's own: the route reads those, and then calls `problems.refuse()`. */
export interface ExportRequest {
  readonly body: ExportBody;
  readonly problems: ConfigurationProblems;
  /** Complete but for the watermark and the destination outside, which `startExport` takes. */
  readonly options: Omit<ExportOptions, "watermark">;
}

export interface ReadingExport {
  readonly account: Account;
  /** Names of the members that the route reads itself. */
  readonly own: readonly string[];
  /** The export takes `timeframe`. */
  readonly hasTimeframe: boolean;
  /** Opens `since` and `until`; absent: the export takes neither. */
  readonly watermarks?: Watermarks;
}

const COMMON = [
  "destination",
  "exportType",
  "name",
  "compress",
  "compression",
  "showHeader",
  "delimiter",
  "columnHeaders",
  "limitRecordsPerFile",
  "timezone",
  "bom",
  "formulaSafe",
  "confirmEmail",
  "jobStatusWebhookUrl",
] as const;
const TIMEFRAME = ["timeframe", "selected_timeframe_start", "selected_timeframe_end"] as const;
const WATERMARKS = ["since", "until"] as const;

/** Reads the members that all exports share; bodies are closed, for a misspelled filter would select everybody. */
export function readExportRequest(body: ExportBody, reading: ReadingExport): ExportRequest {
  const { account, own, watermarks } = reading;
  const problems = createConfigurationProblems();
  const known = [...COMMON, ...(reading.hasTimeframe ? TIMEFRAME : []), ...(watermarks ? WATERMARKS : []), ...own];
  expectKnown(body, known, problems);
  const timezone = readTimezone(body.timezone, account.settings.timezone, problems);
  const form: FileForm = readFileForm(body, isKeptHere(body.destination), problems);
  const timeframe = reading.hasTimeframe ? readTimeframe(body, timezone, problems) : undefined;
  const marks = watermarks === undefined ? {} : readMarks(body, account, watermarks, problems);
  const name = readName(body.name, problems);
  const columnHeaders = readHeaders(body.columnHeaders, problems);
  const options = {
    ...form,
    timezone,
    destination: { type: "kept" },
    ...marks,
    ...(name !== undefined && { name }),
    ...(columnHeaders && { columnHeaders }),
    ...(timeframe && { timeframe }),
  };
  return { body, problems, options };
}

function readName(value: unknown, problems: ConfigurationProblems): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && /^[A-Za-z0-9_-]{1,100}$/.test(value)) return value;
  return problems.add("/name", "bad_value", "A name has up to 100 letters, digits, `-` and `_`.");
}

function readTimezone(value: unknown, usual: string, problems: ConfigurationProblems): string {
  if (value === undefined || value === null) return usual;
  const timezone = typeof value === "string" ? canonicalTimezone(value) : undefined;
  if (timezone === undefined) problems.add("/timezone", "bad_value", "The value is not the IANA name of a time zone.");
  return timezone ?? usual;
}

function readHeaders(value: unknown, problems: ConfigurationProblems): ExportHeader[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length === 0)
    return problems.add("/columnHeaders", "type_mismatch", "The value must be a list of {name, label}.");
  const headers = value.map((given: unknown, place) => readHeader(given, below("/columnHeaders", place), problems));
  const labels = headers.map((header) => header?.label ?? header?.name);
  for (const [place, label] of labels.entries())
    if (label !== undefined && labels.indexOf(label) < place)
      problems.add(below("/columnHeaders", place), "bad_value", `Two columns are called ${JSON.stringify(label)}.`);
  return headers.filter((header) => header !== undefined);
}

function readHeader(given: unknown, path: string, problems: ConfigurationProblems): ExportHeader | undefined {
  if (typeof given !== "object" || given === null)
    return problems.add(path, "type_mismatch", "A column is {name, label}.");
  const { name, label, ...others }: Record<string, unknown> = { ...given };
  for (const other of Object.keys(others))
    problems.unknown(below(path, other), "unknown_field", other, ["name", "label"]);
  if (typeof name !== "string") return problems.add(below(path, "name"), "required", "A column has a name.");
  if (label === undefined || label === null) return { name };
  if (typeof label !== "string" || label === "" || label.includes("\0"))
    return problems.add(below(path, "label"), "bad_value", "A label is a text that is not empty.");
  return { name, label };
}

function readTimeframe(
  body: ExportBody,
  timezone: string,
  problems: ConfigurationProblems,
): ExportOptions["timeframe"] {
  const { timeframe } = body;
  if (timeframe !== undefined && timeframe !== null && (typeof timeframe !== "object" || Array.isArray(timeframe)))
    return problems.add("/timeframe", "type_mismatch", "The value must be {start, end}.");
  const given: Record<string, unknown> = { ...timeframe };
  for (const name of Object.keys(given))
    if (name !== "start" && name !== "end")
      problems.unknown(below("/timeframe", name), "unknown_field", name, ["start", "end"]);
  const pathOf = (name: "start" | "end") =>
    given[name] === undefined ? `/selected_timeframe_${name}` : `/timeframe/${name}`;
  const moment = (name: "start" | "end") => {
    const flat = body[`selected_timeframe_${name}`] ?? undefined;
    if ((given[name] ?? undefined) === undefined && flat === undefined) {
      const path = (timeframe ?? undefined) === undefined ? `/selected_timeframe_${name}` : `/timeframe/${name}`;
      return problems.add(path, "required", "A timeframe has a start and an end.");
    }
    if (given[name] !== undefined && flat !== undefined)
      return problems.add(`/selected_timeframe_${name}`, "not_allowed", "`timeframe` says it already.");
    return readTime(given[name] ?? flat, pathOf(name), timezone, problems);
  };
  if (!hasTimeframe(body)) return undefined;
  const [from, to] = [moment("start"), moment("end")];
  if (from === undefined || to === undefined) return undefined;
  if (from >= to) return problems.add(pathOf("end"), "out_of_range", "The end must be after the start.");
  return { from, to };
}

/** Adds a problem for each column header that is not one of the columns an export has. */
export function addUnknownColumns({ options, problems }: ExportRequest, names: readonly string[]): void {
  for (const [place, { name }] of (options.columnHeaders ?? []).entries())
    if (!names.includes(name)) problems.unknown(below(`/columnHeaders/${place}`, "name"), "unknown_field", name, names);
}

/** Returns true when a body says anything of a timeframe. */
export function hasTimeframe(body: ExportBody): boolean {
  return TIMEFRAME.some((name) => (body[name] ?? undefined) !== undefined);
}

/** A date alone is its midnight in the zone. */
export function readTime(
  value: unknown,
  path: string,
  timezone: string,
  problems: ConfigurationProblems,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const instant = typeof value === "string" ? readInstant(value, timezone) : undefined;
  return instant ?? problems.add(path, "bad_value", "The value is not an ISO 8601 date or timestamp.");
}

function readMarks(body: ExportBody, account: Account, watermarks: Watermarks, problems: ConfigurationProblems) {
  const read = (name: "since" | "until") => {
    const token = body[name];
    if (token === undefined || token === null) return undefined;
    const mark = typeof token === "string" ? watermarks.open(token, account) : undefined;
    return mark ?? problems.add(`/${name}`, "bad_value", "The value is not a watermark of this account.");
  };
  const [since, until] = [read("since"), read("until")];
  if (since !== undefined && until !== undefined && since.asOf > until.asOf)
    problems.add("/until", "out_of_range", "`until` lies before `since`.");
  return { ...(since && { since }), ...(until && { until }) };
}
