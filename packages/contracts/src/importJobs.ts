import { z } from "zod";
import { parseDateFormat } from "./dateFormat.ts";
import { canonicalChannel } from "./identifiers.ts";
import { jobStorage } from "./requestedStorage.ts";
import { mergeOptions, suppressTriggers } from "./shapes.ts";
import { storageTypes } from "./storage.ts";

const NAME_CHARACTERS_MAX = 1_024;
const COLUMNS_MAX = 20_000;
const LISTS_MAX = 1_000;

const columnName = z.string().max(NAME_CHARACTERS_MAX);

/** Rule for rows about something that exists already, and for rows about something that does not. */
const strategy = z.enum(["insertOnly", "updateOnly", "upsert"]);

/** Options of every import, as its body gives them. */
export const importOptions = {
  importName: z.string().max(255).optional(),
  /** The first row names the columns. */
  hasHeader: z.boolean().optional(),
  /** Names of the columns, in order; they win over the first row. */
  columns: z.array(columnName).min(1).max(COLUMNS_MAX).optional(),
  delimiter: z.string().min(1).max(16).optional(),
  /** Sign before the fraction of numbers in cells; groups of three digits may be apart by the other one. */
  decimal: z.enum([".", ","]).optional(),
  /** Form of dates in cells, such as `dd.mm.yyyy` or `mm/dd/yyyy hh:mm`. */
  dateFormat: z
    .string()
    .refine((input) => parseDateFormat(input) !== undefined, { message: "is not a date format such as dd.mm.yyyy" })
    .optional(),
  /** Cells have the mark that exports put before what a spreadsheet would take for a formula. Default: as the export wrote it whose job the file's name tells. */
  formulaSafe: z.boolean().optional(),
  encoding: z.string().min(1).max(64).optional(),
  strategy: strategy.optional(),
  /** A cell that says this removes the value. */
  nullMarker: z.string().max(255).optional(),
  /** Empty cells are stored as empty texts; they change nothing otherwise. */
  emptyCells: z.literal("store").optional(),
  /** Reads and checks all rows and writes nothing. */
  dryRun: z.boolean().optional(),
  /** The import fails once more rows than this are rejected. */
  stopAfterRejections: z.number().int().min(0).optional(),
  suppressTriggers: suppressTriggers.describe(
    "False: rows may start automations. Default true, also for activities that they import.",
  ),
} as const;

/** Further options of an import of contacts. */
export const contactImportOptions = {
  /** Member that a column says, by its header; null leaves the column out. */
  mapping: z.record(columnName, z.string().min(1).max(NAME_CHARACTERS_MAX).nullable()).optional(),
  /** Lists, by name or id, that every contact of the file is put on or taken off. */
  lists: z
    .strictObject({
      addTo: z
        .array(z.union([z.string().min(1).max(128), z.number().int().positive()]))
        .max(LISTS_MAX)
        .optional(),
      removeFrom: z
        .array(z.union([z.string().min(1).max(128), z.number().int().positive()]))
        .max(LISTS_MAX)
        .optional(),
    })
    .optional(),
  createAttributes: z.boolean().optional(),
  forceSubscribe: z.boolean().optional(),
  mergeOptions: mergeOptions.optional(),
  identifyBy: z.array(z.string().min(1).max(256)).min(1).max(64).optional(),
} as const;

/** Members of a channel that a column may write. */
export const importedChannelMembers = ["address", "subscribeStatus", "subscribedAt", "unsubscribedAt"] as const;
export type ImportedChannelMember = (typeof importedChannelMembers)[number];

const CHANNEL_MEMBER = /^channels\.(.+)\.([^.]+)$/;

/** Reads the path of a channel's member that a column may write; undefined for any other path. */
export function readChannelColumn(
  path: string,
): { readonly channel: string; readonly member: ImportedChannelMember } | undefined {
  const [, channel, named] = CHANNEL_MEMBER.exec(path) ?? [];
  const member = importedChannelMembers.find((one) => one === named);
  return channel === undefined || member === undefined ? undefined : { channel: canonicalChannel(channel), member };
}

/** Further options of an import of activities. */
export const activityImportOptions = {
  mapping: contactImportOptions.mapping,
  identifyBy: contactImportOptions.identifyBy,
  /** A contact that a row names and nobody knows is made. */
  canBeCreated: z.boolean().optional(),
} as const;

/** Further options of an import of orders. */
export const orderImportOptions = {
  /** A contact that a line names and nobody knows is made. */
  canBeCreated: z.boolean().optional(),
} as const;

const linkTypes = ["http", "https"] as const;
/** Transports that an import reads its source by: an upload, a link, or a storage outside. */
export const sourceTransports = ["file", ...linkTypes, ...storageTypes] as const;

/** File outside, as the job keeps it: the URL of a link may hold a signature, and is sealed with the secrets, as the member `url`. */
const outsideSource = z.union([jobStorage, z.strictObject({ type: z.enum(linkTypes) })]);
export type OutsideSource = z.output<typeof outsideSource>;

/** One of the two. */
export const importedSource = {
  /** Id of the upload. */
  upload: z.string().optional(),
  outside: outsideSource.optional(),
  /** Name of the file outside, whose extension is its format. */
  fileName: z.string().optional(),
} as const;

/** Inputs of the jobs of imports. */
export const importJobShapes = {
  ImportActivities: z.strictObject({ ...importedSource, ...importOptions, ...activityImportOptions }),
  ImportContacts: z.strictObject({ ...importedSource, ...importOptions, ...contactImportOptions }),
  ImportOrders: z.strictObject({ ...importedSource, ...importOptions, ...orderImportOptions }),
  ImportProducts: z.strictObject({ ...importedSource, ...importOptions }),
  ImportSupplements: z.strictObject({
    ...importedSource,
    ...importOptions,
    /** Key of the table. */
    supplement: z.string(),
  }),
} as const;
