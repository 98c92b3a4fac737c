/// <reference lib="esnext.temporal" />

import { sourceMember } from "@headwater/analytics/imports/source/sourceMember";
import { destinationMember } from "@headwater/analytics/storage/destinationMember";
import { storableText } from "@headwater/api/paging/query";
import { dataJobTargets } from "@headwater/contracts";
import { publishedAs } from "@headwater/http";
import { z } from "zod";
import { mappingShape } from "./mapping.ts";

export const dataJobKinds = ["oneTime", "recurring"] as const;
export const runStatuses = [
  ...(["draft", "pending", "processing", "completed", "failed", "cancelled", "unknown"] as const),
] as const;
export type RunStatus = (typeof runStatuses)[number];

const NAME_CHARACTERS_MAX = 256;
const KEY = /^[A-Za-z0-9_-]{1,128}$/;
const DA_ID = /^[0-9a-f]{24}$/;
/** A key, or the id of a run: the word, the data job's daId, the marker of the run. */
const RUN_ID = /^account:([0-9a-f]{24}):(rm\d{12}(?:\d{2})?)$/;

const key = z
  .string()
  .regex(KEY, "must be letters, digits, dashes and underscores, 128 at most")
  .refine((text) => !DA_ID.test(text), { message: "looks like a daId" });
const schedule = z.strictObject({
  cron: z.string().describe("Minute, hour, day of month, month, day of week."),
  timezone: z.string().describe("IANA name."),
});
const target = z.strictObject({
  type: z.enum(dataJobTargets).describe("What the records are; `export` writes them to a file."),
  key: storableText(128).min(1).describe("Of `supplement`: the key of the table.").optional(),
});
export type Target = z.output<typeof target>;
export type Schedule = z.output<typeof schedule>;

/** Members of a data job as bodies give them: `null` removes one that may be absent. */
export const dataJobBody = z.object({
  key: key.describe("Cannot be changed."),
  name: storableText(NAME_CHARACTERS_MAX).min(1),
  kind: z.enum(dataJobKinds).describe("A recurring one runs by its schedule."),
  schedule: schedule.nullish(),
  apiTrigger: z.boolean().describe("Whether `/trigger` may start it; default false.").nullish(),
  source: publishedAs(z.unknown(), sourceMember)
    .describe("What a run reads; absent: only `/transform` feeds it. Secrets are read back as `{set, last4}`.")
    .optional(),
  mapping: mappingShape,
  target,
  destination: destinationMember.optional(),
  enabled: z.boolean().describe("Default true.").nullish(),
});

const secretOrText = z.unknown();

/** A data job as reads answer it. */
export const dataJobShape = z.strictObject({
  key: z.string(),
  daId: z.string(),
  name: z.string(),
  kind: z.enum(dataJobKinds),
  schedule: schedule.optional(),
  apiTrigger: z.boolean(),
  source: z.record(z.string(), secretOrText).optional(),
  mapping: mappingShape,
  target,
  destination: z.record(z.string(), secretOrText).optional(),
  enabled: z.boolean(),
  status: z.enum(runStatuses).describe("State of its latest run; `draft` before the first."),
  lastRunMarker: z.string().optional(),
  ct: z.string(),
  lm: z.string(),
});

/** Name of a data job in a path: its key or daId, or the id of one of its runs. */
export interface DataJobName {
  readonly key: string;
  readonly marker?: string;
}

/** Reads the name of a data job in a path. */
export function parseDataJobName(text: string): DataJobName {
  const [, daId, marker] = RUN_ID.exec(text) ?? [];
  return daId === undefined || marker === undefined ? { key: text } : { key: daId, marker };
}

/** Returns the id of a run. */
export function runIdOf(daId: string, marker: string): string {
  return `account:${daId}:${marker}`;
}

/** Returns the marker of a run: year to minute of its start in a zone, and the second as well where that is taken. */
export function runMarkerOf(atMs: number, timezone: string, hasSeconds = false): string {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  const parts = [at.month, at.day, at.hour, at.minute, ...(hasSeconds ? [at.second] : [])];
  const year = String(at.year).padStart(4, "0");
  return `rm${year}${parts.map((part) => String(part).padStart(2, "0")).join("")}`;
}
