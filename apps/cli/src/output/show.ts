import type { Call } from "../call.ts";
import { toCsvHeader, toCsvLines } from "./csv.ts";
import { checkFields, isFreeForm, missingField } from "./fields.ts";
import type { Format, Row } from "./formats.ts";
import { memberAt } from "./member.ts";
import { createRowWriter, jsonOf } from "./rowWriter.ts";
import { toCard } from "./table.ts";

type Shower = Pick<Call, "terminal" | "options">;

/**
 * Shows many of a kind: a table, a JSON array, one JSON object a line, or CSV.
 * @param known the members that rows can have; default: those that these rows have.
 */
export function showRows(
  call: Shower,
  columns: readonly string[],
  rows: readonly Row[],
  known?: readonly string[],
): void {
  const { names, chosen } = choose(call, columns, rows, known);
  const writer = createRowWriter(call, names);
  writer.write(chosen);
  writer.end();
}

/** Shows one thing: JSON gives it bare, a table one member a line. @param known the members that it can have; default: those that it has. */
export function showOne(call: Shower, row: Row, known?: readonly string[]): void {
  const { names, chosen } = choose(call, Object.keys(row), [row], known);
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

/** `--fields` selects the members that it names, in its order; without it JSON has all and tables their default columns. */
function choose(
  { options, terminal }: Shower,
  columns: readonly string[],
  rows: readonly Row[],
  known: readonly string[] | undefined,
) {
  const { fields } = options;
  if (fields === undefined) return { names: columns, chosen: rows };
  const valueless = fields.filter((name) => rows.every((row) => memberAt(row, name) === undefined));
  const present = [...new Set([...columns, ...rows.flatMap((row) => Object.keys(row))])];
  checkFields(
    valueless,
    known === undefined ? present.flatMap((name) => [name, `${name}.**`]) : [...known, ...present],
  );
  if (known !== undefined && isFreeForm(known) && rows.length > 0)
    for (const name of valueless) terminal.say(missingField(name, present));
  return { names: fields, chosen: rows.map((row) => pick(row, fields)) };
}

/** Returns the named members, under the names that were typed; null for a member without a value. */
export function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, memberAt(row, name) ?? null]));
}
