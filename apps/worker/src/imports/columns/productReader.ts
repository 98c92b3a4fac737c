import { type JobInput, type Json, type ProductBody, productBody } from "@headwater/contracts";
import { toJson } from "@headwater/domain";
import { safeParse, toDetails } from "@headwater/kernel";
import { checkProduct } from "@headwater/projection";
import { type Reading, type RowRead, type RowReader, refusedRow } from "../importKind.ts";
import type { Cell, Row } from "../source/row.ts";
import { attributeValueOf, type CellRules, textOf } from "./cellValue.ts";

type Input = JobInput<"ImportProducts">;

/** Reads products: a column is a member, a dotted one a part of a member (`variants.0.sku`, `properties.colour`). */
export async function productReader({ input, header }: Reading<Input>): Promise<RowReader> {
  const rules = { nullMarker: input.nullMarker, storesEmpty: input.emptyCells === "store" };
  const paths = (header ?? []).map((name) => name.split("."));
  const read = (row: Row): RowRead => {
    if (row.kind === "broken") return refusedRow("The row cannot be read.");
    if (row.kind === "object") return { kind: "item", item: header === null ? row.members : ofColumns(row.members) };
    return { kind: "item", item: productOf(row.cells, paths, rules) };
  };
  return { newAttributes: [], newLists: [], ignoredColumns: (header ?? []).filter((name) => name === ""), read };
}

export type ProductRead =
  | { readonly kind: "product"; readonly product: ProductBody }
  | { readonly kind: "refused"; readonly path: string; readonly message: string };

/** Judges a product as `POST /v2/products` does. */
export function judgeProduct(item: unknown): ProductRead {
  const parsed = safeParse(productBody, item);
  if (!parsed.success) {
    const [detail] = toDetails(parsed.error);
    return { kind: "refused", path: detail?.path ?? "", message: detail?.message ?? "The product is invalid." };
  }
  const [detail] = checkProduct(parsed.data, "");
  if (detail !== undefined) return { kind: "refused", path: detail.path, message: detail.message };
  return { kind: "product", product: parsed.data };
}

const BOOLEANS: ReadonlySet<string> = new Set(["inStock", "taxable", "enabled", "sale.enabled"]);
const STRUCTURES: ReadonlySet<string> = new Set(["images", "tags", "variants", "sale", "properties", "attr"]);
const FREE_FORM = /^(properties|variants\.\d+\.attr)\./;
const QUANTITY = /^variants\.\d+\.qty$/;

function productOf(cells: readonly Cell[], paths: readonly (readonly string[])[], rules: CellRules): Json {
  const root = new Map<string, Branch>();
  for (const [place, path] of paths.entries()) {
    const cell = cells[place];
    if (cell === undefined || path.join("") === "") continue;
    const given = textOf(cell, rules);
    if (given.kind === "value") put(root, path, given.value === null ? null : memberOf(cell, path));
  }
  return toObject(root);
}

/** Columns of Parquet, whose values have their types already. */
function ofColumns(members: Readonly<Record<string, unknown>>): Json {
  const root = new Map<string, Branch>();
  for (const [name, value] of Object.entries(members)) put(root, name.split("."), toJson(value));
  return toObject(root);
}

function memberOf(cell: Cell, path: readonly string[]): Json {
  const { text } = cell;
  const name = path.join(".");
  const last = path.at(-1) ?? "";
  if (BOOLEANS.has(name)) return BOOLEAN_TEXTS.get(text.toLowerCase()) ?? text;
  if (QUANTITY.test(name)) return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (FREE_FORM.test(name) || STRUCTURES.has(last)) return attributeValueOf(cell, name, undefined);
  return text;
}

const BOOLEAN_TEXTS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** A member, or those that its columns put together. */
type Branch = Json | Map<string, Branch>;

function put(into: Map<string, Branch>, [name = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    into.set(name, value);
    return;
  }
  const known = into.get(name);
  const inner: Map<string, Branch> = known instanceof Map ? known : new Map();
  // Members of one column after another: a copy for each would make the row's time square.
  if (inner !== known) into.set(name, inner);
  put(inner, rest, value);
}

/** Columns numbered from 0 make an array. */
function toObject(members: ReadonlyMap<string, Branch>): Json {
  const entries = [...members].map(([name, value]): [string, Json] => [
    name,
    value instanceof Map ? toObject(value) : toJson(value),
  ]);
  const isArray = entries.length > 0 && entries.every(([name]) => /^\d{1,3}$/.test(name));
  if (!isArray) return Object.fromEntries(entries);
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}
