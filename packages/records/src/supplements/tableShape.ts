import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { shapes, toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readSupplement, type SupplementView } from "./supplements.ts";

/** The members of a table that `fields` may name. */
export const TABLE_MEMBERS = [
  ...["key", "name", "indexes", "contactObject", "autogenerateIDs", "createdAt", "lastDataUpdate"],
] as const;

const { field, type } = shapes.supplementIndexes.element.shape;
const INDEXES_MAX = 64;
/** Written by us or meant for us: never stored as fields. */
const reserved = ["id", "ct", "lm", "suppressTriggers"];

export const tableName = z.string().max(512);
export const tableIndexes = z
  .array(
    z.object({
      field: field.refine((name) => !reserved.includes(name), {
        message: `must not be one of ${reserved.join(", ")}`,
        params: { code: "not_allowed" },
      }),
      type,
    }),
  )
  .max(INDEXES_MAX)
  .refine((indexes) => new Set(indexes.map((index) => index.field)).size === indexes.length, {
    message: "names a field twice",
  });

export const tableParams = z.strictObject({ key: storableText(128).min(1) });

export const tableAnswer = z.strictObject({
  key: z.string(),
  name: z.string().optional(),
  indexes: z.array(z.strictObject({ field: z.string(), type, state: z.enum(["building", "ready"]) })),
  contactObject: z.boolean(),
  autogenerateIDs: z.boolean(),
  createdAt: z.string(),
  lastDataUpdate: z.string().optional(),
});

export const tableExample = {
  key: "cars",
  name: "Cars",
  indexes: [{ field: "model", type: "string", state: "ready" }],
  contactObject: true,
  autogenerateIDs: false,
  createdAt: "2026-01-09T22:47:12.000Z",
  lastDataUpdate: "2026-01-10T08:00:00.000Z",
} as const;

export const savedAnswer = successShape.extend({ key: z.string() });
export const savedExample = { success: true, key: "cars" } as const;

/** A table as answers show it. */
export function tableRecord(table: SupplementView): z.output<typeof tableAnswer> {
  const { key, name, indexes, contactObject, autogenerateIDs, createdAt, dataUpdatedAt } = table;
  return {
    key,
    ...(name !== null && { name }),
    indexes: indexes.map(({ field, type, state }) => ({ field, type, state })),
    contactObject,
    autogenerateIDs,
    createdAt: toTimestamp(createdAt),
    ...(dataUpdatedAt > 0 && { lastDataUpdate: toTimestamp(dataUpdatedAt) }),
  };
}

/** Returns the version of a table's definition, whatever its records and however far an index is; for its ETag. */
export function versionOfTable({ name, indexes }: Pick<SupplementView, "name" | "indexes">): string {
  return contentVersion([name, indexes.map(({ field, type }) => [field, type])]);
}

/** @throws HeadwaterError 404 `RECORD_NOT_FOUND`. */
export async function expectTable(session: Session, account: number, key: string): Promise<SupplementView> {
  const table = await readSupplement(session, account, key);
  if (table === undefined) throw unknownTable();
  return table;
}

export function unknownTable() {
  return refusal("RECORD_NOT_FOUND", "No supplement has this key.");
}

/** Refuses to change what names a table or a record. */
export function memberStays(member: "key" | "id") {
  const message = `\`${member}\` cannot be changed.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: `/${member}`, code: "not_allowed", message }] });
}

export const TABLE_UNKNOWN = { description: "RECORD_NOT_FOUND: no supplement has this key." } as const;
