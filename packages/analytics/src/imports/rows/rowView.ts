import type { Row } from "@headwater/jobs/sources/row";

const DISPLAYED_CHARACTERS = 1_000;
const RECORD_CHARACTERS_MAX = 64 * 1024;

/** A row as people see it next to its rejection: by the names of its columns, or how it begins. */
export function rowView(row: Row, header: readonly string[] | null): unknown {
  const record = recordOf(row, header);
  if (typeof record === "string") return record;
  const text = JSON.stringify(record);
  return text.length > RECORD_CHARACTERS_MAX ? text.slice(0, DISPLAYED_CHARACTERS) : record;
}

function recordOf(row: Row, header: readonly string[] | null): string | object {
  switch (row.kind) {
    case "broken":
      return row.shown.replaceAll("\0", "\ufffd");
    case "object":
      return row.members;
    case "cells":
      return Object.fromEntries(
        row.cells.map(({ text }, index) => [header?.[index] ?? `column ${index + 1}`, text.replaceAll("\0", "\ufffd")]),
      );
  }
}
