import type { ExportHeader } from "@headwater/contracts";
import type { ExportColumn, StagedCell } from "../exportKind.ts";

type Row = Readonly<Record<string, StagedCell>>;

/** Picks, orders and renames columns as the caller asked for; the service has checked their names. */
export function pickColumns(
  columns: readonly Omit<ExportColumn, "field">[],
  headers: readonly ExportHeader[] = columns,
): { readonly columns: readonly ExportColumn[]; readonly pick: (row: Row) => readonly StagedCell[] } {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const picked = headers.flatMap(({ name, label }): ExportColumn[] => {
    const type = types.get(name);
    return type === undefined ? [] : [{ name: label ?? name, field: name, type }];
  });
  return { columns: picked, pick: (row) => picked.map(({ field }) => row[field] ?? null) };
}
