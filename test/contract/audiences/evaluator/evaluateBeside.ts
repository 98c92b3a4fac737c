/** Rules about what stands next to a contact: its cart, records of tables, and its share of a sample. */
import { asText, compare, condition, inWindow } from "./evaluateCondition.ts";
import { cartDocument, type RecordWrite, recordDocument, survivorOf, type Value } from "./model.ts";
import type { Rule } from "./rule.ts";
import { latest, member, type Sight } from "./sight.ts";
import { xxHash64 } from "./xxHash64.ts";

export function cartPasses(leaf: Rule, contact: number, { world, question, known }: Sight): boolean {
  const mine = (world.carts ?? []).filter((cart) => survivorOf(world, cart.contact) === contact);
  const cart = latest(mine, known);
  const reference = question.asOf ?? question.now;
  const isThere =
    cart !== undefined && cart.items.length > 0 && (cart.expiresAt === null || cart.expiresAt > reference);
  if (isThere === (leaf.cart === "empty")) return false;
  if (leaf.within !== undefined) {
    if (cart === undefined) return false;
    const isLater = question.basis === "event" && cart.at >= (question.asOf ?? Number.POSITIVE_INFINITY);
    if (isLater || !inWindow(cart.at, leaf.within, question)) return false;
  }
  if (!isThere) return true;
  const document = cartDocument(cart);
  if (!(leaf.where ?? []).every((prop) => condition(member(document, prop.field), prop, question))) return false;
  const lines = typeof leaf.cart === "object" ? leaf.cart.items : [];
  return cart.items.some((item) => lines.every((prop) => condition(member(item, prop.field), prop, question)));
}

interface Owner {
  readonly contact: number;
  /** The contact's side of a join. */
  readonly joined: Value | undefined;
}

export function recordsPass(leaf: Rule, { contact, joined }: Owner, { world, question, known }: Sight): boolean {
  const table = world.tables?.find(({ key }) => key === leaf.supplement);
  const cleared = Math.max(0, ...(table?.clearedAt ?? []).filter((at) => at <= known));
  const writes = (world.records ?? []).filter((record) => record.table === table?.id);
  const records = [...new Set(writes.map(({ id }) => id))]
    .map((id) =>
      latest(
        writes.filter((record) => record.id === id),
        known,
      ),
    )
    .filter((record) => record !== undefined && !record.deleted && record.at > cleared)
    .filter((record) => record !== undefined);
  const texts = textsOf(joined);
  const isMine = (record: RecordWrite) => {
    if (leaf.join === undefined) return record.contact > 0 && survivorOf(world, record.contact) === contact;
    return textsOf(member(recordDocument(record), leaf.join.record)).some((text) => texts.includes(text));
  };
  const passing = records.filter(
    (record) =>
      isMine(record) &&
      (leaf.where ?? []).every((prop) => condition(fieldOf(record, prop.field ?? ""), prop, question)),
  );
  return compare(passing.length, leaf.count ?? { op: "gte", value: 1 });
}

function fieldOf(record: RecordWrite, path: string): Value | undefined {
  return path === "lm" ? new Date(record.at).toISOString() : member(recordDocument(record), path);
}

function textsOf(value: Value | undefined): string[] {
  if (value === undefined || value === null) return [];
  return [value].flat().flatMap((one: Value) => (one === null ? [] : (asText(one) ?? [])));
}

export function isSampled(
  { percent, from = 0, salt = "" }: NonNullable<Rule["sample"]>,
  cid: Value | undefined,
): boolean {
  const hash = xxHash64(Buffer.from(`${salt}\n${String(cid)}`));
  const position = (hash % 10_000n) * 10_000n + ((hash / 10_000n) % 10_000n);
  return position >= Math.round(from * 1e6) && position < Math.round((from + percent) * 1e6);
}
