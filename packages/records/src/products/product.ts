import type { Json } from "@headwater/contracts";

/**
 * Knowledge about a product, member by member. It has three sources: the declaration (`/v2/products`), orders, and carts. A better
 * source's value stands above a poorer one's whatever the times; of one source the later value stands.
 */
export interface Product {
  /** Members by name, `variants` among them when it was declared. Null = declared to be absent. */
  readonly members: Map<string, Known>;
  /** Attributes by `sku`, as items of orders and carts had them. */
  readonly variants: Map<string, Known>;
}

/** A value with its rank: source, time of the source in milliseconds, version. Ranks compare as texts. */
type Known = readonly [value: Json, rank: string];

/** Members of a product that one item of an order or a cart states. */
export interface ProductObservation {
  readonly productId: string;
  readonly rank: string;
  readonly members: { readonly [name: string]: Json };
  readonly sku: string;
  readonly attr: Json;
}

const sources = { carted: "0", ordered: "1", declared: "2" } as const;
const TIME_DIGITS = 15;
/** Others than the declared ones. */
const VARIANTS_SEEN_MAX = 1_000;
/** A value that is seen again is written again once a day: so its rank is the day when it was last right. */
const SEEN_AGAIN_AFTER_MS = 86_400_000;

export function rankOf(source: keyof typeof sources, atMs: number, version: string): string {
  return `${sources[source]}${String(Math.max(0, atMs)).padStart(TIME_DIGITS, "0")}${version}`;
}

export function emptyProduct(): Product {
  return { members: new Map(), variants: new Map() };
}

/** Reads what `toProductDocument` wrote. */
export function parseProduct(document: string): Product {
  const { members = {}, variants = {} }: { members?: Stored; variants?: Stored } = JSON.parse(document);
  return { members: new Map(Object.entries(members)), variants: new Map(Object.entries(variants)) };
}

type Stored = Readonly<Record<string, Known>>;

export function toProductDocument({ members, variants }: Product): string {
  return JSON.stringify({ members: Object.fromEntries(members), variants: Object.fromEntries(variants) });
}

/** Declares members: absent = unchanged, null = absent from now on, whatever orders say. @returns whether anything changed. */
export function declareMembers(
  product: Product,
  declared: Readonly<Record<string, Json | undefined>>,
  atMs: number,
): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(declared)) {
    if (value === undefined) continue;
    const known = product.members.get(name);
    if (known?.[1].startsWith(sources.declared) && isSame(known[0], value)) continue;
    product.members.set(name, [value, rankOf("declared", atMs, "")]);
    changed = true;
  }
  return changed;
}

/** Applies what an item says. @returns whether that is to be written. */
export function observeProduct(
  { members, variants }: Product,
  { rank, members: seen, sku, attr }: ProductObservation,
): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(seen)) changed = see(members, name, [value, rank]) || changed;
  if (variants.has(sku) || variants.size < VARIANTS_SEEN_MAX) changed = see(variants, sku, [attr, rank]) || changed;
  return changed;
}

function see(known: Map<string, Known>, name: string, [value, rank]: Known): boolean {
  const [before, beforeRank] = known.get(name) ?? [null, ""];
  if (rank <= beforeRank) return false;
  if (isSame(value, before) && beforeRank[0] === rank[0] && timeOf(rank) - timeOf(beforeRank) < SEEN_AGAIN_AFTER_MS) {
    return false;
  }
  known.set(name, [value, rank]);
  return true;
}

function timeOf(rank: string): number {
  return Number(rank.slice(1, 1 + TIME_DIGITS));
}

/** Values as they read now: declared variants, else those that were seen, in order of `sku`. */
export function membersView({ members, variants }: Product): { readonly [name: string]: Json } {
  const view: Record<string, Json> = {};
  const seen = [...variants].sort(([a], [b]) => (a < b ? -1 : 1));
  if (seen.length > 0) view.variants = seen.map(([sku, [attr]]) => (attr === null ? { sku } : { sku, attr }));
  for (const [name, [value]] of members) {
    if (value === null) delete view[name];
    else view[name] = value;
  }
  return view;
}

function isSame(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
