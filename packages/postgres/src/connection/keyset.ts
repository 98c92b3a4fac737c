import type { Conditions } from "./conditions.ts";

export interface Keyset {
  /** Columns or expressions that no two rows have all in common, and that are never NULL. */
  readonly columns: readonly string[];
  readonly direction: "asc" | "desc";
  /** Their values in the last row of the page before. */
  readonly last?: readonly (string | number)[] | undefined;
}

/** Adds the condition of what lies behind the last row of the page before. @returns the text of the order. */
export function keysetOrder(where: Conditions, { columns, direction, last }: Keyset): string {
  if (last !== undefined) {
    const values = last.map((value) => where.bind(value)).join(", ");
    where.add(`(${columns.join(", ")}) ${direction === "asc" ? ">" : "<"} (${values})`);
  }
  return columns.map((column) => `${column} ${direction === "asc" ? "ASC" : "DESC"}`).join(", ");
}
