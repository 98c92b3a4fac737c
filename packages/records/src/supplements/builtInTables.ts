import { parseTime, type Written } from "@headwater/contracts";

/** A supplement table that every account has. It is created with its first record. */
export interface BuiltInTable {
  readonly key: string;
  readonly name: string;
  /** Field with the time of a record: one with an earlier time than the stored record is superseded, whenever it comes. */
  readonly newestBy: string;
}

export const builtInTables: ReadonlyMap<string, BuiltInTable> = new Map(
  [{ key: "subscriptions", name: "Subscriptions", newestBy: "updated_at" }].map((table) => [table.key, table]),
);

/** Returns whether a record says of itself that a newer one of its id is stored. */
export function isOutdated(
  key: string,
  stored: ReadonlyMap<string, Written> | undefined,
  fields: Readonly<Record<string, unknown>>,
): boolean {
  const newestBy = builtInTables.get(key)?.newestBy;
  if (newestBy === undefined || stored === undefined) return false;
  const [known, input] = [timeOf(stored.get(newestBy)?.value), timeOf(fields[newestBy])];
  return known !== undefined && input !== undefined && input < known;
}

function timeOf(value: unknown): number | undefined {
  return typeof value === "string" ? parseTime(value) : undefined;
}
