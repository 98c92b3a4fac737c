import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { toCsvHeader, toCsvLines } from "./csv.ts";
import type { Format, Row } from "./formats.ts";
import { memberAt } from "./member.ts";
import { createRowWriter, jsonOf } from "./rowWriter.ts";
import { toCard } from "./table.ts";

type Shower = Pick<Call, "terminal" | "options">;

/** Shows many of a kind: a table, a JSON array, one JSON object a line, or CSV. */
export function showRows(call: Shower, columns: readonly string[], rows: readonly Row[]): void {
  const { names, chosen } = choose(call, columns, rows);
  const writer = createRowWriter(call, names);
  writer.write(chosen);
  writer.end();
}

/** Shows one thing: JSON gives it bare, a table one member a line. */
export function showOne(call: Shower, row: Row): void {
  const { names, chosen } = choose(call, Object.keys(row), [row]);
  const [one = {}] = chosen;
  const { terminal } = call;
  const text = {
    table: () => toCard(one),
    json: () => `${jsonOf(one, terminal.isOutTerminal)}\n`,
    ndjson: () => `${JSON.stringify(one)}\n`,
    csv: () => `${toCsvHeader(names)}${toCsvLines(names, [one])}`,
  } satisfies Record<Format, () => string>;
  terminal.out(text[call.options.format]());
}

/** `--fields` keeps the members it names, in its order; without it JSON keeps all and tables have their usual columns. */
function choose({ options }: Shower, columns: readonly string[], rows: readonly Row[]) {
  const { fields } = options;
  if (fields === undefined) return { names: columns, chosen: rows };
  const known = new Set([...columns, ...rows.flatMap((row) => Object.keys(row))]);
  const unknown = fields.filter((name) => !known.has(name) && rows.every((row) => memberAt(row, name) === undefined));
  if (unknown.length > 0) {
    throw usageError(`--fields: there is no ${unknown.join(", ")} here; there are ${[...known].join(", ")}.`);
  }
  return { names: fields, chosen: rows.map((row) => pick(row, fields)) };
}

/** The members that are there of those that are named, under the names that were typed. */
export function pick(row: Row, names: readonly string[]): Row {
  const found = names.map((name) => [name, memberAt(row, name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}
