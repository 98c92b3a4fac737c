import { z } from "zod";
import { refuseLostNumbers } from "./memberNames.ts";
import { parseTime } from "./time.ts";

export const deadLetterLimits = {
  idsPerSelection: 1_000,
  patchOperations: 100,
  pointerCharacters: 4_096,
  reasonCharacters: 1_000,
} as const;

/** Open ones may be redriven or discarded; the others have been, or are still tried by themselves (parked). */
export const deadLetterStatuses = ["open", "parked", "redriven", "discarded"] as const;
export type DeadLetterStatus = (typeof deadLetterStatuses)[number];

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
/** An object's prototype is no member of it. */
const PROTOTYPE = /(?:^|\/)__proto__(?:\/|$)/;

const pointer = z
  .string()
  .max(deadLetterLimits.pointerCharacters)
  .regex(POINTER, "is not a JSON pointer")
  .refine((path) => !PROTOTYPE.test(path), { message: "must not name __proto__" });
const value = z
  .unknown()
  .refine((input) => input !== undefined, { message: "is required" })
  .superRefine(refuseLostNumbers);

const patchOperation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), path: pointer, value }),
  z.strictObject({ op: z.literal("remove"), path: pointer }),
  z.strictObject({ op: z.literal("replace"), path: pointer, value }),
  z.strictObject({ op: z.literal("move"), path: pointer, from: pointer }),
  z.strictObject({ op: z.literal("copy"), path: pointer, from: pointer }),
  z.strictObject({ op: z.literal("test"), path: pointer, value }),
]);

/** A JSON Patch (RFC 6902). */
export const jsonPatch = z.array(patchOperation).min(1).max(deadLetterLimits.patchOperations);
export type JsonPatch = z.infer<typeof jsonPatch>;

const timestamp = z.string().refine((text) => parseTime(text) !== undefined, {
  message: "is not an ISO 8601 date or timestamp",
});

/** Selects open dead letters of an account: those that meet every condition. Closed, because a misspelled filter would select more. */
export const deadLetterSelection = z
  .strictObject({
    ids: z.array(z.string().min(1).max(1_024)).min(1).max(deadLetterLimits.idsPerSelection).optional(),
    operation: z.string().max(64).optional(),
    code: z.string().max(64).optional(),
    /** Bounds of the time of rejection; `from` included, `to` excluded. */
    from: timestamp.optional(),
    to: timestamp.optional(),
  })
  .refine((select) => Object.values(select).some((filter) => filter !== undefined), {
    message: "needs at least one of ids, operation, code, from, to",
  });
export type DeadLetterSelection = z.infer<typeof deadLetterSelection>;

export const redriveRequest = z.strictObject({
  select: deadLetterSelection,
  patch: jsonPatch.optional(),
  dryRun: z.boolean().optional(),
});
export type RedriveRequest = z.infer<typeof redriveRequest>;

export const discardRequest = z.strictObject({
  select: deadLetterSelection,
  reason: z.string().min(1).max(deadLetterLimits.reasonCharacters),
});
export type DiscardRequest = z.infer<typeof discardRequest>;

/** `open`: rejected, waits for a person. `parked`: tried again when due. The others are ends. */
export type RejectStatus = "open" | "parked" | "applied" | "skipped" | "redriven" | "discarded";

export interface RejectKey {
  /** 0 = the account cannot be known. */
  readonly account: number;
  readonly recordId: string;
}

export interface RejectRow extends RejectKey {
  readonly requestId: string;
  readonly operation: string;
  readonly topic: string;
  readonly partition: number;
  readonly logOffset: number;
  readonly place: number;
  /** Index of the item in its request. */
  readonly itemIndex: number;
  readonly status: RejectStatus;
  readonly code: string;
  /** JSON pointer into the item. */
  readonly path: string;
  readonly message: string;
  /** JSON text. */
  readonly payload: string;
  readonly version: string;
  /** Milliseconds since 1970, like the other times. */
  readonly receivedAt: number;
  readonly rejectedAt: number;
  readonly attempts: number;
  /** Time of a parked record's next attempt. */
  readonly dueAt: number | null;
  /** The record was a person's redrive of this one. */
  readonly redriveOf?: string | undefined;
  /** The group that could not write what `state` had applied. */
  readonly quarantinedBy?: string | null | undefined;
}
