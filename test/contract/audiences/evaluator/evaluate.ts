/** Audience rules evaluated in memory, written from the specification alone and as plainly as possible. */
import { castAttribute } from "@headwater/contracts";
import { AUDIENCES } from "./audiences.ts";
import { cartPasses, isSampled, recordsPass } from "./evaluateBeside.ts";
import { compare, condition, decimal, inWindow, type Question } from "./evaluateCondition.ts";
import { eventPasses } from "./evaluateEvents.ts";
import { type OrderWrite, orderDocument, survivorOf, type Value, type World } from "./model.ts";
import { ATTRIBUTES } from "./randomWorld.ts";
import type { Rule } from "./rule.ts";
import { latest, member, type Sight } from "./sight.ts";

export type { Question };

const NOT_COUNTING = ["cancelled", "canceled", "refunded", "returned", "failed", "voided"];

export function evaluate(rule: Rule, world: World, question: Question): Set<number> {
  const past = question.basis === "recorded" && question.asOf !== undefined && question.asOf < question.now;
  const known = past ? (question.asOf ?? 0) : Number.POSITIVE_INFINITY;
  const everyone = new Set(
    world.contacts
      .filter((contact) => !contact.deleted && !world.aliases.has(contact.number) && contact.createdAt <= known)
      .map((contact) => contact.number),
  );
  const everyoneBut = (set: Set<number>) => everyone.difference(set);
  const visit = (node: Rule): Set<number> => {
    const without = (set: Set<number>) => (node.exclude ? set.difference(visit(node.exclude)) : set);
    if (node.and)
      return without(node.and.map(visit).reduce((a: Set<number>, b: Set<number>) => a.intersection(b), everyone));
    if (node.or) return without(node.or.map(visit).reduce((a: Set<number>, b: Set<number>) => a.union(b), new Set()));
    if (node.not) return everyoneBut(visit(node.not));
    if (node.audience !== undefined) return visit(savedRule(node.audience));
    return new Set([...everyone].filter((contact) => passes(node, contact, { world, question, known, past })));
  };
  return visit(rule);
}

function savedRule(key: string): Rule {
  const found = AUDIENCES.find((one) => one.key === key || one.id === key);
  if (found === undefined) throw new Error(`no audience ${key}`);
  return found.criteria;
}

function passes(leaf: Rule, contact: number, sight: Sight): boolean {
  if (leaf.field === "cID") return cidPasses(leaf, contact, sight);
  if (leaf.field !== undefined) return condition(fieldOf(leaf.field, contact, sight), leaf, sight.question);
  if (leaf.list !== undefined) return inList(leaf, contact, sight) === (leaf.op === "in");
  if (leaf.event !== undefined) return eventPasses(leaf, contact, sight);
  if (leaf.cart !== undefined) return cartPasses(leaf, contact, sight);
  if (leaf.sample !== undefined) return isSampled(leaf.sample, fieldOf("cID", contact, sight));
  if (leaf.supplement !== undefined) {
    const path = leaf.join?.contact;
    return recordsPass(
      leaf,
      { contact, joined: path === undefined ? undefined : fieldOf(path, contact, sight) },
      sight,
    );
  }
  return orderPasses(leaf, contact, sight);
}

const POSITIVE: Readonly<Record<string, string>> = { neq: "eq", notIn: "in" };

/** A contact is named by the cIDs of those that were merged into it too; its own is the one that is shown. */
function cidPasses(leaf: Rule, contact: number, { world, question }: Sight): boolean {
  const op = leaf.op ?? "";
  const positive = POSITIVE[op] ?? op;
  const isNaming = positive === "eq" || positive === "in";
  const passing = world.contacts
    .filter(({ number }) => number === contact || (isNaming && survivorOf(world, number) === contact))
    .some(({ cid }) => condition(cid, { ...leaf, op: positive }, question));
  return positive === op ? passing : !passing;
}

function fieldOf(path: string, contact: number, sight: Sight): Value | undefined {
  const { world, known } = sight;
  const row = world.contacts.find((entry) => entry.number === contact);
  if (path === "cID") return row?.cid;
  if (path === "createdAt") return new Date(row?.createdAt ?? 0).toISOString();
  if (path === "lastModified") return new Date(modifiedAt(contact, sight)).toISOString();
  const valid = /^channels\.(.*)\.valid$/.exec(path);
  if (valid) {
    const address = fieldOf(`channels.${valid[1]}.address`, contact, sight);
    return address === undefined ? undefined : true;
  }
  const cleared = Math.max(0, ...(world.cleared?.[path] ?? []).filter((at) => at <= known));
  const writes = world.fields.filter(
    (write) => survivorOf(world, write.contact) === contact && write.field === path && write.at > cleared,
  );
  const written = latest(writes, known)?.value;
  const isStatus = path === "channels.email.subscribeStatus";
  const value = isStatus ? (written ?? undefined) : written;
  if (value !== undefined) return declaredValue(path, value, sight.question);
  if (path === "channels.email.address") return fieldOf("identifiers.email", contact, sight);
  if (isStatus) {
    return fieldOf("channels.email.address", contact, sight) === undefined ? undefined : "none";
  }
  const part = /^(.*)\.(city|state|postal_code|country)$/.exec(path);
  if (!part) return undefined;
  const whole = fieldOf(part[1] ?? "", contact, sight);
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return undefined;
  return Object.entries(whole).find(([name]) => name === part[2])?.[1] ?? undefined;
}

/** Returns the value as answers show it: one that its declared type cannot have is missing. */
function declaredValue(path: string, value: Value, { timezone }: Question): Value | undefined {
  const [, declared] = Object.entries(ATTRIBUTES).find(([name]) => path === `attributes.${name}`) ?? [];
  if (declared === undefined || value === null) return value ?? undefined;
  const cast = castAttribute({ type: declared }, value, timezone);
  return cast.kind === "value" ? cast.value : undefined;
}

function modifiedAt(contact: number, { world, known, past }: Sight): number {
  const row = world.contacts.find((entry) => entry.number === contact);
  if (!past) return row?.modifiedAt ?? 0;
  const mine = (write: { readonly contact: number; readonly at: number }) =>
    survivorOf(world, write.contact) === contact && write.at <= known;
  const created = world.contacts.filter((entry) => survivorOf(world, entry.number) === contact);
  return Math.max(...created.map((entry) => entry.createdAt), ...world.fields.filter(mine).map((write) => write.at));
}

function inList(leaf: Rule, contact: number, { world, question, known }: Sight): boolean {
  const list = world.lists.find(
    (entry) => entry.id === leaf.list || entry.name.toLowerCase() === String(leaf.list).toLowerCase(),
  );
  const cleared = Math.max(0, ...(list?.clearedAt ?? []).filter((at) => at <= known));
  const writes = world.memberships.filter(
    (write) => write.list === list?.id && survivorOf(world, write.contact) === contact && write.at > cleared,
  );
  const membership = latest(writes, known);
  if (!membership?.present) return false;
  return leaf.joined === undefined || inWindow(membership.joinedAt, leaf.joined, question);
}

function orderPasses(leaf: Rule, contact: number, { world, question, known }: Sight): boolean {
  const ids = new Set(world.orders.map((order) => order.orderId));
  const before = question.basis === "event" ? (question.asOf ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const orders = [...ids]
    .map((id) =>
      latest(
        world.orders.filter((order) => order.orderId === id),
        known,
      ),
    )
    .filter((order) => order !== undefined)
    .filter((order) => !order.deleted && survivorOf(world, order.contact) === contact && order.purchasedAt < before)
    .filter((order) => orderMatches(order, leaf, question));
  if (leaf.sum === undefined) return compare(orders.length, leaf.count ?? { op: "gte", value: 1 });
  const counted = orders.filter((order) => order.currency === question.currency);
  const sum = counted.reduce((total, order) => total + amountOf(order, leaf, question), 0n);
  return compare(Number(sum) / 10_000, leaf.sum);
}

/** Returns the amount in ten-thousandths. */
function amountOf(order: OrderWrite, { sum, items = [] }: Rule, question: Question): bigint {
  if (sum?.of === "tax") return order.total / 10n;
  const [, field] = /^items\.(.+)$/.exec(sum?.of ?? "") ?? [];
  if (field === undefined) return order.total;
  return order.items
    .filter((item) => items.every((prop) => condition(member(item, prop.field), prop, question)))
    .reduce((total, item) => total + decimal(member(item, field), 4), 0n);
}

function orderMatches(order: OrderWrite, leaf: Rule, question: Question): boolean {
  const where = leaf.where ?? [];
  const status = order.status.toLowerCase();
  const isNamed = where.some(({ field, op }) => field === "status" && op !== "exists" && op !== "notExists");
  if (leaf.status === undefined && !isNamed && NOT_COUNTING.includes(status)) return false;
  if (leaf.status !== undefined && leaf.status !== "any" && ![leaf.status].flat().includes(status)) return false;
  if (leaf.within !== undefined && !inWindow(order.purchasedAt, leaf.within, question)) return false;
  const document = orderDocument(order);
  if (!where.every((prop) => condition(member(document, prop.field), prop, question))) return false;
  const { items } = leaf;
  if (items === undefined) return true;
  return order.items.some((item) => items.every((prop) => condition(member(item, prop.field), prop, question)));
}
