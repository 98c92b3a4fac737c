import type { ExportedContactColumn } from "@headwater/contracts";
import type { ColumnType, ExportColumn } from "../exportKind.ts";

const ofDeclared: Readonly<Record<string, ColumnType>> = {
  string: "text",
  number: "number",
  date: "date",
  array: "array",
  boolean: "boolean",
  geo: "object",
  moment: "moment",
};

/** The columns of the files, of the types that the account declared. */
export function toExportColumns(columns: readonly ExportedContactColumn[]): ExportColumn[] {
  return columns.map(({ name, label, source }) => ({ name: label ?? name, field: name, type: typeOf(source) }));
}

function typeOf(source: ExportedContactColumn["source"]): ColumnType {
  switch (source.kind) {
    case "value":
      return source.part === undefined ? (ofDeclared[source.declared] ?? "auto") : "text";
    case "column":
      return source.column === "cid" ? "id" : "moment";
    case "channel":
      return source.member === "valid" ? "boolean" : "text";
    case "lists":
      return "array";
    case "list":
      return "membership";
    case "joined":
      return "moment";
  }
}
