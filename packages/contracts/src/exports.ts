import { z } from "zod";
import { logCategories, logLevels } from "./accountLog.ts";

export const EXPORT_FORMATS = ["csv", "txt", "json", "jsonl", "parquet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_COMPRESSIONS = ["none", "gzip", "zstd", "snappy"] as const;
export type ExportCompression = (typeof EXPORT_COMPRESSIONS)[number];

/** Position in all logs: what was acknowledged before it is complete once the consumer groups are past it. */
export const exportWatermark = z.strictObject({
  /** Opaque and signed, as callers give it back in `since` and `until`. */
  token: z.string(),
  /** Milliseconds since 1970. */
  asOf: z.number(),
  /** Next offsets of the intake topics by `topic/generation/partition`. */
  offsets: z.record(z.string(), z.number()),
  /** The last position in the outbox. */
  position: z.number(),
});
export type ExportWatermark = z.output<typeof exportWatermark>;

/** A column as a caller asked for it; `label` is what the file calls it. */
export const exportHeader = z.strictObject({ name: z.string(), label: z.string().optional() });
export type ExportHeader = z.output<typeof exportHeader>;

/** Members that the input of every export has: what `readExportRequest` makes of the body, and the watermark. */
export const exportOptions = z.strictObject({
  /** Begins the files' names; absent: the job's name does. */
  name: z.string().optional(),
  format: z.enum(EXPORT_FORMATS),
  compression: z.enum(EXPORT_COMPRESSIONS),
  showHeader: z.boolean(),
  delimiter: z.string(),
  bom: z.boolean(),
  formulaSafe: z.boolean(),
  /** Columns that are picked, in their order; absent: all that the kind has. */
  columnHeaders: z.array(exportHeader).optional(),
  /** 0: one file. */
  recordsPerFile: z.number().int(),
  /** Milliseconds since 1970, `from` included, `to` excluded. */
  timeframe: z.strictObject({ from: z.number(), to: z.number() }).optional(),
  timezone: z.string(),
  watermark: exportWatermark,
  since: exportWatermark.optional(),
  until: exportWatermark.optional(),
  /** The folder that the files go to; `kept`: the store of files of this installation. */
  destination: z.looseObject({ type: z.string() }),
});
export type ExportOptions = z.output<typeof exportOptions>;

/** Selection of contacts: criteria as they were checked (`CriteriaNode`) and as they were written. */
const exportCriteria = z.strictObject({ node: z.unknown(), shown: z.unknown(), audienceKey: z.string().optional() });

/** A column of contacts: where its value is read, by what type, and what it was asked for as. */
const contactColumn = z.strictObject({
  name: z.string(),
  source: z.discriminatedUnion("kind", [
    /** A stored value, or a part of a location. `declared`: the attribute's type. */
    z.strictObject({
      kind: z.literal("value"),
      field: z.string(),
      declared: z.string(),
      part: z.string().optional(),
    }),
    z.strictObject({ kind: z.literal("column"), column: z.enum(["cid", "created_at", "modified_at"]) }),
    z.strictObject({ kind: z.literal("channel"), channel: z.string(), member: z.enum(["address", "status", "valid"]) }),
    /** Names of all lists the contact is in. */
    z.strictObject({ kind: z.literal("lists") }),
    z.strictObject({ kind: z.literal("list"), list: z.number() }),
    z.strictObject({ kind: z.literal("joined"), list: z.number() }),
  ]),
  label: z.string().optional(),
});
export type ExportedContactColumn = z.output<typeof contactColumn>;

export const exportContactsInput = exportOptions.extend({
  columns: z.array(contactColumn),
  criteria: exportCriteria.optional(),
  /** Milliseconds since 1970: the instant at which who and values are read. */
  asOf: z.number().optional(),
});

/** Value of a field, or membership of lists, by which contacts of a trend are grouped; fields and lists as they were checked. */
const trendSegments = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("field"), target: z.unknown() }),
  z.strictObject({ kind: z.literal("lists"), lists: z.array(z.unknown()) }),
]);

export const exportAudienceTrendsInput = exportOptions.extend({
  /** Audiences in their order, each as rows call it. */
  audiences: z.array(exportCriteria.extend({ label: z.string() })),
  /** Instants, milliseconds since 1970, ascending: each row is from one to the next. */
  bounds: z.array(z.number()),
  grain: z.enum(["hour", "day", "week", "month"]),
  basis: z.enum(["recorded", "event"]),
  eligibleFor: z
    .strictObject({ channel: z.string(), classification: z.enum(["promotional", "transactional"]) })
    .optional(),
  segments: trendSegments.optional(),
});

const texts = z.array(z.string());

export const exportMessagesInput = exportOptions.extend({
  /** Filters: all that are given hold. */
  messages: z.strictObject({
    type: z.enum(["b", "a", "o"]).optional(),
    channel: z.string().optional(),
    name: z.string().optional(),
    tags: z.strictObject({ names: texts, operator: z.enum(["any", "all"]) }).optional(),
    orchestrationId: z.string().optional(),
    orchestrationName: z.string().optional(),
    audienceKeys: texts.optional(),
  }),
  /** Sends of the timeframe with all that followed, or events of the timeframe. */
  basis: z.enum(["sent", "event"]),
  view: z.enum(["message", "day", "type", "total"]),
  /** A last row adds up all messages. */
  hasTotals: z.boolean(),
});

export const exportEventsInput = exportOptions.extend({
  /** Names; `custom`: all that are not reserved. Absent: all. */
  actions: z.union([z.array(z.string()), z.literal("custom")]).optional(),
  /** Filters on the message of the activity. */
  message: z.strictObject({ type: z.string().optional(), id: z.string().optional() }).optional(),
  channel: z.string().optional(),
  /** cID. */
  contact: z.string().optional(),
  criteria: exportCriteria.optional(),
  sortByTime: z.boolean(),
  /** A column with the whole properties. */
  hasProperties: z.boolean(),
  /** A column for each of the commonest properties. */
  hasPropertyColumns: z.boolean(),
  additionalFields: z.array(z.enum(["geo", "device", "receivedAt", "place"])),
  contactFields: z.array(contactColumn),
});

/** Columns of exported orders; `deleted` is one of increments alone. */
export const orderColumns = [
  ...(["orderID", "cID", "purchaseDate", "status", "currency", "totalAmount", "totalComputed", "tax"] as const),
  ...(["shippingAndHandling", "discountApplication", "items", "shippingAddress", "billingAddress"] as const),
  ...(["properties", "customerID", "storeID", "cartID", "mcID", "msID", "linkID", "deleted"] as const),
] as const;
export type OrderColumn = (typeof orderColumns)[number];

export const exportOrdersInput = exportOptions.extend({});

export const exportLogInput = exportOptions.extend({
  timeframe: z.strictObject({ from: z.number(), to: z.number() }),
  /** This one and graver ones. */
  level: z.enum(logLevels),
  /** Absent: all. */
  category: z.enum(logCategories).optional(),
});
