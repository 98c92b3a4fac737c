import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { shapes } from "@headwater/contracts";
import { type Caller, refusal } from "@headwater/http";
import { z } from "zod";
import { everyIdentifierIn, identifierWarnings } from "../contacts/addressWarnings.ts";

export const recordParams = z.strictObject({ key: storableText(128).min(1), id: storableText(256).min(1) });

/** Free-form. */
export const recordBody = shapes.supplementRecord;
/** Fields of a record that no write changes. */
export const recordReadOnly = ["ct", "lm"] as const;

/** Warns of an email that cannot be the address of the record's contact. */
export function recordWarnings(fields: Readonly<Record<string, unknown>>, { account }: Caller) {
  return identifierWarnings(everyIdentifierIn({ email: fields.email }, ""), account.settings);
}

export const recordAnswer = z.looseObject({
  id: z.string(),
  cID: z.string().optional(),
  ct: z.string(),
  lm: z.string(),
});
export const recordExample = {
  id: "car-1",
  email: "ada@example.com",
  model: "A",
  year: 2019,
  cID: "65f0c0ffee65f0c0ffee0001",
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
} as const;

export const savedRecordAnswer = successShape.extend({ id: z.string() });
export const savedRecordExample = { success: true, id: "car-1" } as const;

export const RECORD_UNKNOWN = { description: "RECORD_NOT_FOUND: the supplement or record does not exist." } as const;

/** Fields are free: what a record does not have is left out. */
export function pickRecordFields(fields: string | undefined): (record: Record<string, unknown>) => object {
  if (fields === undefined) return (record) => record;
  const names = new Set(fields.split(",").map((name) => name.trim()));
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

export function unknownRecord() {
  return refusal("RECORD_NOT_FOUND", "No record of the supplement has this id.");
}
