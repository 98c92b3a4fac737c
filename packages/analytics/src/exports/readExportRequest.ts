import type { Account, ExportOptions, ExportWatermark } from "@headwater/contracts";
import { readInstant } from "@headwater/criteria";
import type { z } from "zod";
import type { ClosedBody } from "../closedBody.ts";
import { isStoredHere } from "../storage/chooseDestination.ts";
import {
  addBodyProblems,
  below,
  type ConfigurationProblems,
  createConfigurationProblems,
} from "./configurationProblems.ts";
import type { exportMembers, timeframeMembers, watermarkMembers } from "./exportMembers.ts";
import { type FileForm, readFileForm } from "./fileForm.ts";
import type { Watermarks } from "./watermarks.ts";

type SharedMembers = Partial<
  z.output<z.ZodObject<typeof exportMembers & ReturnType<typeof timeframeMembers> & typeof watermarkMembers>>
>;

/** The body of an export, as far as it can be read. */
export type ExportBody<Members = SharedMembers> = ClosedBody<Members>;

/** A body that was read, but for the rules of the members that are the route's own: the route reads those, and then calls `problems.refuse()`. */
export interface ExportRequest<Members = SharedMembers> extends Omit<ExportBody<Members>, "problems"> {
  readonly problems: ConfigurationProblems;
  /** Complete but for the watermark and the destination outside, which `startExport` takes. */
  readonly options: Omit<ExportOptions, "watermark">;
}

export interface ReadingExport {
  readonly account: Account;
  /** Opens `since` and `until`; absent: the export takes neither. */
  readonly watermarks?: Watermarks;
}

/** Reads the members that all exports share, with the validation errors of the whole body. */
export function readExportRequest<Members extends SharedMembers>(
  body: ExportBody<Members>,
  { account, watermarks }: ReadingExport,
): ExportRequest<Members> {
  const { members, given: input } = body;
  const problems = createConfigurationProblems();
  addBodyProblems(body, problems);
  const timezone = members.timezone ?? account.settings.timezone;
  const form: FileForm = readFileForm(members, isStoredHere(input.destination), problems);
  const timeframe = readTimeframe(body, timezone, problems);
  const marks = watermarks === undefined ? {} : readMarks(members, { account, watermarks, problems });
  const { name, columnHeaders } = members;
  const options = {
    ...form,
    timezone,
    destination: { type: "kept" },
    ...marks,
    ...(typeof name === "string" && { name }),
    ...(columnHeaders && { columnHeaders }),
    ...(timeframe && { timeframe }),
  };
  return { ...body, problems, options };
}

const TIMEFRAME = ["timeframe", "selected_timeframe_start", "selected_timeframe_end"] as const;

/** Returns true when a body says anything of a timeframe. */
export function hasTimeframe({ given: provided, names }: Pick<ExportBody<unknown>, "given" | "names">): boolean {
  return TIMEFRAME.some((name) => names.includes(name) && (provided[name] ?? undefined) !== undefined);
}

/** Reads the timeframe of either form; undefined where there is none, or a mistake in it. */
function readTimeframe(
  body: ExportBody,
  timezone: string,
  problems: ConfigurationProblems,
): ExportOptions["timeframe"] {
  const { given: received, members } = body;
  const sent = received.timeframe ?? undefined;
  if (!hasTimeframe(body) || (sent !== undefined && (typeof sent !== "object" || Array.isArray(sent))))
    return undefined;
  const ends = new Map<string, unknown>(Object.entries(sent ?? {}));
  const read = (name: "start" | "end") => {
    const flat = received[`selected_timeframe_${name}`] ?? undefined;
    if ((ends.get(name) ?? undefined) === undefined && flat === undefined) {
      const path = sent === undefined ? `/selected_timeframe_${name}` : `/timeframe/${name}`;
      return problems.add(path, "required", "A timeframe has a start and an end.");
    }
    if (ends.has(name) && flat !== undefined)
      return problems.add(`/selected_timeframe_${name}`, "not_allowed", "`timeframe` says it already.");
    const text = members.timeframe?.[name] ?? members[`selected_timeframe_${name}`] ?? undefined;
    return text === undefined ? undefined : readInstant(text, timezone);
  };
  const [from, to] = [read("start"), read("end")];
  if (from === undefined || to === undefined) return undefined;
  const path = ends.has("end") ? "/timeframe/end" : "/selected_timeframe_end";
  if (from >= to) return problems.add(path, "out_of_range", "The end must be after the start.");
  return { from, to };
}

/** Adds a problem for each column header that is not one of the columns an export has. */
export function addUnknownColumns(
  { options, problems }: Pick<ExportRequest, "options" | "problems">,
  names: readonly string[],
): void {
  for (const [index, { name }] of (options.columnHeaders ?? []).entries())
    if (!names.includes(name)) problems.unknown(below(`/columnHeaders/${index}`, "name"), "unknown_field", name, names);
}

interface ReadingMark extends Required<ReadingExport> {
  readonly problems: ConfigurationProblems;
}

/** Opens a watermark; undefined without one, and where it is not one of the account. */
export function readMark(
  name: "since" | "until",
  token: unknown,
  { account, watermarks, problems }: ReadingMark,
): ExportWatermark | undefined {
  if (token === undefined || token === null) return undefined;
  const mark = typeof token === "string" ? watermarks.open(token, account) : undefined;
  return mark ?? problems.add(`/${name}`, "bad_value", "The value is not a watermark of this account.");
}

function readMarks(members: SharedMembers, reading: ReadingMark) {
  const since = readMark("since", members.since, reading);
  const until = readMark("until", members.until, reading);
  if (since !== undefined && until !== undefined && since.asOf > until.asOf)
    reading.problems.add("/until", "out_of_range", "`until` lies before `since`.");
  return { ...(since && { since }), ...(until && { until }) };
}
