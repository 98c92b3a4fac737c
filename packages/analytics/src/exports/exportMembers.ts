import { canonicalTimezone, EXPORT_COMPRESSIONS, EXPORT_FORMATS, type ExportHeader } from "@headwater/contracts";
import { criteriaSchema, readInstant } from "@headwater/criteria";
import { parsedBy, publishedAs, type Refuse } from "@headwater/http";
import { hasForbiddenText, listedWord } from "@headwater/kernel";
import { z } from "zod";
import { destinationMember } from "../storage/destinationMember.ts";
import { describeUnknown } from "./configurationProblems.ts";

/** A flag, which forms send as a text. */
export function flag(description: string) {
  return parsedBy(z.union([z.boolean(), z.enum(["true", "false"])]).describe(description), (value, refuse) => {
    if (typeof value === "boolean") return value;
    const word = listedWord(["true", "false"], value);
    return word === undefined ? refuse("type_mismatch", "The value must be true or false.") : word === "true";
  });
}

const TEXTS_MAX = 500;
const CHARACTERS_MAX = 512;
const EMPTY = "The value is empty. Leave the member out to select all.";
const EXPECTED = `The value must be a string of 1 to ${CHARACTERS_MAX} characters.`;

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= CHARACTERS_MAX && !hasForbiddenText(value);
}

/** Reads a text. An empty one is a mistake: it would select everything. */
export function readText(value: unknown, refuse: Refuse): string | undefined {
  if (value === "") return refuse("bad_value", EMPTY);
  return isText(value) ? value : refuse("type_mismatch", EXPECTED);
}

/** A text that selects something. */
export const text = parsedBy(z.string(), readText);

/** A list of texts, or one of them alone. An empty list is a mistake: it would select everything. */
export function texts(grammar: z.ZodType = z.union([z.array(z.string()), z.string()])) {
  return parsedBy(grammar, (value, refuse): readonly string[] | undefined => {
    if (!Array.isArray(value)) return isText(value) ? [value] : refuse("type_mismatch", EXPECTED);
    if (value.length === 0) return refuse("bad_value", EMPTY);
    if (value.length > TEXTS_MAX) return refuse("too_many", `The list has up to ${TEXTS_MAX} entries.`);
    for (const [index, one] of value.entries()) if (!isText(one)) refuse("type_mismatch", EXPECTED, { below: [index] });
    return value.filter(isText);
  });
}

/** A date or a timestamp, as it was sent: which instant a date means depends on the time zone. */
export function time(grammar: z.ZodType = z.string()) {
  return parsedBy(grammar, (value, refuse) => {
    const isTime = typeof value === "string" && readInstant(value, "UTC") !== undefined;
    return isTime ? value : refuse("bad_value", "The value is not an ISO 8601 date or timestamp.");
  });
}

/** Criteria: their own parser reports every mistake of them, with codes of its own. */
export const criteriaMember = publishedAs(z.unknown(), criteriaSchema);

const DELIMITERS: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" };

function readDelimiter(value: unknown, refuse: Refuse): string | undefined {
  const input = typeof value === "string" ? value : "";
  const named = Object.hasOwn(DELIMITERS, input.toLowerCase()) ? DELIMITERS[input.toLowerCase()] : undefined;
  if (named !== undefined) return named;
  if ([...input.slice(0, 4)].length === 1 && !/["\r\n\0\ud800-\udfff]/.test(input)) return input;
  const allowed = Object.keys(DELIMITERS);
  return refuse("bad_value", "A delimiter is one character, but no quote and no line end.", { allowed });
}

const RECORDS_MAX = 1_000_000_000;

function readRecordsMax(value: unknown, refuse: Refuse): number | undefined {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= RECORDS_MAX) return value;
  const code = typeof value === "number" ? "out_of_range" : "type_mismatch";
  return refuse(code, `The value must be an integer between 0 and ${RECORDS_MAX}.`);
}

function readHeaders(value: unknown, refuse: Refuse): ExportHeader[] | undefined {
  if (!Array.isArray(value) || value.length === 0)
    return refuse("type_mismatch", "The value must be a list of {name, label}.");
  const seen = new Set<string>();
  return value.flatMap((provided: unknown, index) => {
    const header = readHeader(provided, (code, message, { below = [], allowed } = {}) =>
      refuse(code, message, { below: [index, ...below], ...(allowed && { allowed }) }),
    );
    const label = header?.label ?? header?.name;
    if (header === undefined || label === undefined) return [];
    if (seen.has(label)) refuse("bad_value", `Two columns are called ${JSON.stringify(label)}.`, { below: [index] });
    seen.add(label);
    return [header];
  });
}

function readHeader(received: unknown, refuse: Refuse): ExportHeader | undefined {
  if (typeof received !== "object" || received === null) return refuse("type_mismatch", "A column is {name, label}.");
  const { name, label, ...others }: Record<string, unknown> = { ...received };
  for (const other of Object.keys(others)) refuseUnknown(other, ["name", "label"], refuse);
  if (typeof name !== "string") return refuse("required", "A column has a name.", { below: ["name"] });
  if (label === undefined || label === null) return { name };
  if (typeof label !== "string" || label === "" || label.includes("\0"))
    return refuse("bad_value", "A label is a text that is not empty.", { below: ["label"] });
  return { name, label };
}

function refuseUnknown(name: string, known: readonly string[], refuse: Refuse): void {
  const { message, allowed } = describeUnknown(name, known);
  refuse("unknown_field", message, { below: [name], ...(allowed && { allowed }) });
}

/** Members that every export takes. */
export const exportMembers = {
  destination: destinationMember.nullish(),
  exportType: z.enum(EXPORT_FORMATS, "The format is unknown.").describe("Default `csv`.").nullish(),
  name: parsedBy(z.string().describe("Begins the files' names: letters, digits, `-` and `_`."), (value, refuse) => {
    if (typeof value === "string" && /^[A-Za-z0-9_-]{1,100}$/.test(value)) return value;
    return refuse("bad_value", "A name has up to 100 letters, digits, `-` and `_`.");
  }).nullish(),
  compress: flag("True is gzip.").nullish(),
  /** Depends on the format, with which `readFileForm` reads it. */
  compression: publishedAs(
    z.unknown(),
    z.enum(EXPORT_COMPRESSIONS).describe("Of Parquet the codec, default zstd; of all others the file's."),
  ).nullish(),
  showHeader: flag("Default true.").nullish(),
  delimiter: parsedBy(
    z.string().describe("One character, or `comma`, `semicolon`, `tab`, `pipe`."),
    readDelimiter,
  ).nullish(),
  columnHeaders: parsedBy(
    z
      .array(z.strictObject({ name: z.string(), label: z.string().nullish() }))
      .describe("Picks, orders and renames columns."),
    readHeaders,
  ).nullish(),
  limitRecordsPerFile: parsedBy(z.int().min(0).describe("0: one file."), readRecordsMax).nullish(),
  timezone: parsedBy(
    z.string().describe("IANA name of the zone of dates alone. Default: the account's."),
    (value, refuse) => {
      const timezone = typeof value === "string" ? canonicalTimezone(value) : undefined;
      return timezone ?? refuse("bad_value", "The value is not the IANA name of a time zone.");
    },
  ).nullish(),
  bom: flag("Begins text files with a byte order mark.").nullish(),
  formulaSafe: flag(
    "Puts ' before texts that a spreadsheet takes for a formula. Default true for csv and txt kept here.",
  ).nullish(),
  /** `readNotices` reads both. */
  confirmEmail: publishedAs(z.unknown(), z.string()).nullish(),
  jobStatusWebhookUrl: publishedAs(z.unknown(), z.string()).nullish(),
} as const;

/** Members of the exports whose increments have watermarks; `readExportRequest` opens them for the account. */
export const watermarkMembers = {
  since: publishedAs(z.unknown(), z.string().describe("The token of a watermark: only what came after it.")).nullish(),
  until: publishedAs(
    z.unknown(),
    z.string().describe("The token of a watermark: only what came before it. Default: the export's own."),
  ).nullish(),
} as const;

const timeframeEnds = z.object({ start: time().nullish(), end: time().nullish() });

function readTimeframe(value: unknown, refuse: Refuse) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("type_mismatch", "The value must be {start, end}.");
  for (const name of Object.keys(value))
    if (!Object.hasOwn(timeframeEnds.shape, name)) refuseUnknown(name, ["start", "end"], refuse);
  const { data, error } = timeframeEnds.safeParse(value);
  for (const { path, message } of error?.issues ?? []) refuse("bad_value", message, { below: path });
  return data;
}

/** Members that name a timeframe. @param rule whether an export needs one, or what it has without. */
export function timeframeMembers(rule: string) {
  const alias = "The same as in `timeframe`.";
  return {
    timeframe: parsedBy(
      z.strictObject({ start: z.string(), end: z.string() }).describe(`${rule} The start is included, the end is not.`),
      readTimeframe,
    ).nullish(),
    selected_timeframe_start: time(z.string().describe(alias)).nullish(),
    selected_timeframe_end: time(z.string().describe(alias)).nullish(),
  };
}

/** The 202 of every export. */
export const exportStarted = z.strictObject({
  jobId: z.string(),
  warnings: z
    .array(
      z.strictObject({
        code: z.string(),
        path: z.string().optional(),
        message: z.string(),
        allowed: z.array(z.string()).optional(),
      }),
    )
    .describe("What of the request has no effect here, and names in criteria that the account never had.")
    .optional(),
});
