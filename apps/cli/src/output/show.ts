import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { toCsv } from "./csv.ts";
import type { Format, Row } from "./formats.ts";
import { toCard, toTable } from "./table.ts";

type Shower = Pick<Call, "terminal" | "options">;

/** Shows many of a kind: a table, a JSON array, one JSON object a line, or CSV. */
export function showRows(call: Shower, columns: readonly string[], rows: readonly Row[]): void {
  const { names, chosen } = choose(call, columns, rows);
  const text = {
    table: () => toTable(names, chosen, call.terminal.hasColours),
    json: () => toJson(call, chosen),
    ndjson: () => chosen.map((row) => `${JSON.stringify(row)}\n`).join(""),
    csv: () => toCsv(names, chosen),
  } satisfies Record<Format, () => string>;
  call.terminal.out(text[call.options.format]());
}

/** Shows one thing: JSON gives it bare, a table one member a line. */
export function showOne(call: Shower, row: Row): void {
  const { names, chosen } = choose(call, Object.keys(row), [row]);
  const [one = {}] = chosen;
  const text = {
    table: () => toCard(one),
    json: () => toJson(call, one),
    ndjson: () => `${JSON.stringify(one)}\n`,
    csv: () => toCsv(names, chosen),
  } satisfies Record<Format, () => string>;
  call.terminal.out(text[call.options.format]());
}

/** In one line for programs, indented for people. */
function toJson({ terminal }: Shower, value: unknown): string {
  return `${JSON.stringify(value, undefined, terminal.isOutTerminal ? 2 : undefined)}\n`;
}

/** `--fields` keeps the members it names, in its order; without it JSON keeps all and tables have their usual columns. */
function choose({ options }: Shower, columns: readonly string[], rows: readonly Row[]) {
  const { fields } = options;
  if (fields === undefined) return { names: columns, chosen: rows };
  const known = new Set([...columns, ...rows.flatMap((row) => Object.keys(row))]);
  const unknown = fields.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw usageError(`--fields: there is no ${unknown.join(", ")} here; there are ${[...known].join(", ")}.`);
  }
  const pick = (row: Row) => Object.fromEntries(fields.filter((name) => name in row).map((name) => [name, row[name]]));
  return { names: fields, chosen: rows.map(pick) };
}
