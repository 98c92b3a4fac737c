import { type JobInput, type Json, type ProductBody, productBody, toJson } from "@headwater/contracts";
import type { Cell, Row } from "@headwater/jobs/sources/row";
import { safeParse, toDetails, unknownMembersOf } from "@headwater/kernel";
import { checkProduct } from "@headwater/records/products/storedProduct";
import { type Reading, type RowRead, type RowReader, refusedRow } from "../importKind.ts";
import { namesOfIgnored } from "../rowWarnings.ts";
import { attributeValueOf, type CellRules, textOf, timeOf } from "./cellValue.ts";
import { plainHeader } from "./headerSynonyms.ts";
import { createNotation } from "./notation.ts";

type Input = JobInput<"ImportProducts">;

/** Reads products: a column is a member, a dotted one a part of a member (`variants.0.sku`, `properties.colour`). */
export async function productReader({ input, header }: Reading<Input>): Promise<RowReader> {
  const rules = {
    nullMarker: input.nullMarker,
    storesEmpty: input.emptyCells === "store",
    notation: createNotation(input),
  };
  const names = memberNamesOf(header ?? []);
  const paths = names.map((name) => name.split("."));
  const read = (row: Row): RowRead => {
    if (row.kind === "broken") return refusedRow("The row cannot be read.");
    if (row.kind === "object")
      return { kind: "item", item: header === null ? row.members : ofColumns(row.members, header, paths) };
    return { kind: "item", item: productOf(row.cells, paths, rules) };
  };
  const columns = header?.map((name, index) => {
    const path = names[index] ?? "";
    const readCell = (cell: Cell) => valueOfCell(cell, paths[index] ?? [], rules);
    return { name, path: path === "" ? null : path, identifies: path === PRODUCT_ID, readCell };
  });
  const ignoredColumns = (header ?? []).filter((name) => name === "");
  return {
    newAttributes: [],
    newLists: [],
    ignoredColumns,
    read,
    identifiers: [PRODUCT_ID],
    ...(columns && { columns }),
  };
}

const PRODUCT_ID = "productID";
/** Members by their names as people write them. */
const memberNames = new Map([
  ...Object.keys(productBody.shape).map((name) => [plainHeader(name), name] as const),
  ...[["id", PRODUCT_ID] as const, ["name", "productName"] as const, ["product", "productName"] as const],
]);

/** Finds the member of each column; what is named exactly comes before what only means it. */
function memberNamesOf(header: readonly string[]): string[] {
  const taken = new Set(header);
  return header.map((name) => {
    const meant = memberNames.get(plainHeader(name));
    if (meant === undefined || taken.has(meant)) return name;
    taken.add(meant);
    return meant;
  });
}

export type ProductRead =
  | { readonly kind: "product"; readonly product: ProductBody; readonly ignored: readonly string[] }
  | { readonly kind: "refused"; readonly path: string; readonly message: string };

/** Validates a product as `POST /v2/products` does. */
export function validateProduct(item: unknown): ProductRead {
  const parsed = safeParse(productBody, item);
  if (!parsed.success) {
    const [detail] = toDetails(parsed.error);
    return { kind: "refused", path: detail?.path ?? "", message: detail?.message ?? "The product is invalid." };
  }
  const [detail] = checkProduct(parsed.data, "");
  if (detail !== undefined) return { kind: "refused", path: detail.path, message: detail.message };
  return { kind: "product", product: parsed.data, ignored: namesOfIgnored(unknownMembersOf(productBody, item)) };
}

const BOOLEANS: ReadonlySet<string> = new Set(["inStock", "taxable", "enabled", "sale.enabled"]);
const STRUCTURES: ReadonlySet<string> = new Set(["images", "tags", "variants", "sale", "properties", "attr"]);
const PRICES: ReadonlySet<string> = new Set(["price", "sale.price"]);
const TIMES: ReadonlySet<string> = new Set(["sale.start", "sale.end"]);
const FREE_FORM = /^(properties|variants\.\d+\.attr)\./;
const QUANTITY = /^variants\.\d+\.qty$/;

function productOf(cells: readonly Cell[], paths: readonly (readonly string[])[], rules: CellRules): Json {
  const root = new Map<string, Branch>();
  for (const [position, path] of paths.entries()) {
    const cell = cells[position];
    if (cell === undefined || path.join("") === "") continue;
    const provided = textOf(cell, rules);
    if (provided.kind === "value") put(root, path, provided.value === null ? null : memberOf(cell, path, rules));
  }
  return toObject(root);
}

function valueOfCell(cell: Cell, path: readonly string[], rules: CellRules): Json | undefined {
  const received = textOf(cell, rules);
  return received.kind === "value" && received.value !== null ? memberOf(cell, path, rules) : undefined;
}

/** Columns of Parquet, whose values have their types already. */
function ofColumns(
  members: Readonly<Record<string, unknown>>,
  header: readonly string[],
  paths: readonly (readonly string[])[],
): Json {
  const root = new Map<string, Branch>();
  for (const [place, name] of header.entries()) {
    if (Object.hasOwn(members, name)) put(root, paths[place] ?? [name], toJson(members[name]));
  }
  return toObject(root);
}

function memberOf(cell: Cell, path: readonly string[], { notation }: CellRules): Json {
  const { text } = cell;
  const name = path.join(".");
  const last = path.at(-1) ?? "";
  if (BOOLEANS.has(name)) return BOOLEAN_TEXTS.get(text.toLowerCase()) ?? text;
  if (QUANTITY.test(name)) return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (FREE_FORM.test(name) || STRUCTURES.has(last)) return attributeValueOf(cell, name, { notation });
  if (PRICES.has(name)) return notation?.number(text) ?? text;
  return TIMES.has(name) ? timeOf(text, notation) : text;
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
