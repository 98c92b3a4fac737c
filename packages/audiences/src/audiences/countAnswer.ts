import { toTimestamp } from "@headwater/contracts";
import type { CompiledCriteria, ContactColumns } from "@headwater/criteria";
import type { CountOptions } from "./countRequest.ts";

/** Orders by their currency. */
type LeftOut = readonly [currencies: readonly string[], orders: readonly (number | string)[]];
export type CountRow = Readonly<Record<string, number | string | LeftOut | undefined>> & {
  readonly sample?: readonly string[];
};

interface Counted {
  readonly nowMs: number;
  readonly freshMs: number;
  /** Path of the criteria in the body, as the paths of errors have it. */
  readonly at: string;
}

/** Makes the body of the answer. */
export function toCountAnswer(
  row: CountRow,
  { nodes, notes, contact }: Pick<CompiledCriteria, "nodes" | "notes" | "contact">,
  options: CountOptions,
  { nowMs, freshMs, at }: Counted,
) {
  const { asOf = nowMs, basis, timezone, eligibleFor } = options;
  return {
    count: countOf(row),
    asOf: toTimestamp(freshMs),
    exact: true,
    ...(contact && {
      in: numberOf(row[contact.in]) === 1,
      nodes: contact.nodes.map((node) => ({ ...nodeOf(node, row), path: `${at}${node.path}` })),
    }),
    ...(options.explain && {
      explain: nodes.map(({ path, column }) => {
        const node = explainNode(path, numberOf(row[column]), notes, row);
        return { ...node, path: `${at}${path}` };
      }),
    }),
    ...(options.sampleSize !== undefined && { sample: row.sample ?? [] }),
    options: { asOf: toTimestamp(asOf), basis, timezone, ...(eligibleFor && { eligibleFor }) },
  };
}

/** Returns whether a node holds the contact, and what it read: null where the contact has nothing of it. */
function nodeOf({ path, in: holds, saw, isMember }: ContactColumns, row: CountRow) {
  const isIn = numberOf(row[holds]) === 1;
  if (isMember !== undefined) return { path, in: isIn, saw: isIn === isMember };
  if (saw === undefined) return { path, in: isIn };
  const text = row[saw];
  const value: unknown = typeof text === "string" && text !== "" ? JSON.parse(text) : null;
  return { path, in: isIn, saw: value };
}

function explainNode(path: string, count: number, notes: CompiledCriteria["notes"], row: CountRow) {
  const currencies = notes
    .filter((note) => note.path === path)
    .flatMap(({ column }) => currenciesOf(row[column]))
    .reduce((sums, [code, orders]) => sums.set(code, (sums.get(code) ?? 0) + orders), new Map<string, number>());
  return currencies.size === 0
    ? { path, count }
    : { path, count, leftOut: { currencies: Object.fromEntries(currencies) } };
}

function currenciesOf(cell: CountRow[string]): (readonly [string, number])[] {
  if (typeof cell !== "object") return [];
  const [codes, orders] = cell;
  return codes.map((code, index) => [code, Number(orders[index])] as const);
}

function numberOf(cell: CountRow[string]): number {
  return typeof cell === "number" || typeof cell === "string" ? Number(cell) : 0;
}

export function countOf(row: CountRow): number {
  return numberOf(row.count);
}
