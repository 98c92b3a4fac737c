import { suppressesTriggers, timeOfVersion } from "@headwater/contracts";
import { runInSlices, type Sliced } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { Fact } from "../orchestrations/run.ts";
import { startOf } from "../orchestrations/start.ts";
import { applyFacts, loadContacts, type OwnFact, readMessages, type Survivors, toActivity } from "./applyFacts.ts";
import { keepCarts } from "./idleCarts.ts";
import type { Starting } from "./journeys.ts";
import type { ReadChange } from "./readFacts.ts";
import type { RunUnit } from "./runUnit.ts";
import type { UnitPorts } from "./storeUnit.ts";
import { insertOrders, type OrderKey, readListNames } from "./triggerRows.ts";

/** Facts may be read so much later than they came: goals count by when they came. */
const LATE_MS = 7 * 86_400_000;
/** Changes of one message are fewer than this. */
const CHANGES_OF_A_MESSAGE = 65_536;

/** Applies change events of one topic to runs, and begins those that they start. An account without orchestrations costs one look-up. */
export async function applyChanges(
  transaction: Transaction,
  unit: RunUnit,
  changes: readonly ReadChange[],
  ports: UnitPorts & { readonly nowMs: number },
): Promise<void> {
  const accounts = [...new Set(changes.map(({ value }) => value.account))];
  const starting = await ports.journeys.starting(transaction, accounts);
  const relevant = changes.filter((change) => isRelevant(change, starting));
  if (relevant.length === 0) return;
  const contacts = relevant.map(({ value: { account, contact } }) => ({ account, contact }));
  const { nowMs } = ports;
  const survivorOf = await loadContacts(transaction, unit, { contacts, sinceMs: nowMs - LATE_MS, nowMs }, ports);
  const facts = await toFacts(transaction, relevant, survivorOf);
  await applyFacts(transaction, unit, { facts: await newFacts(transaction, facts, starting), starting }, ports);
  const carts = relevant.flatMap((change) => (change.kind === "cart" ? [change] : []));
  await keepCarts(transaction, unit, { changes: carts, survivorOf, starting }, ports);
}

/**
 * Returns whether a change may move runs or start them. A contact matters when it was merged: what belonged to both is joined. What a merge moved
 * from one contact to another has happened before.
 */
function isRelevant({ kind, value }: ReadChange, starting: readonly Starting[]): boolean {
  const isListened = (name: "list" | "order" | "cart") =>
    starting.some(
      ({ account, journey }) => account === value.account && journey.composition.trigger[name] !== undefined,
    );
  switch (kind) {
    case "activity":
      return true;
    case "contact":
      return value.mergedInto !== undefined;
    case "membership":
      return value.merge !== true && isListened("list");
    case "order":
      return value.deleted !== true && isListened("order");
    case "cart":
      return isListened("cart");
  }
}

async function toFacts(
  transaction: Transaction,
  changes: readonly ReadChange[],
  survivorOf: Survivors,
): Promise<OwnFact[]> {
  const messageOf = await readMessages(transaction, changes);
  const nameOf = await readNames(transaction, changes);
  return changes.flatMap((change) => {
    const { account, contact: number, version } = change.value;
    const contact = survivorOf(account, number);
    if (contact === undefined) return [];
    const of = { at: timeOfVersion(version), contact, ...suppressedBy(change) };
    const own = (fact: Fact): OwnFact[] => [{ account, fact, revision: change.revision }];
    switch (change.kind) {
      case "activity":
        return own(toActivity(change, contact, messageOf(change.value)));
      case "membership": {
        const { list: id, present } = change.value;
        const list = nameOf(account, id);
        const at = { stream: `lists/${id}`, position: change.revision };
        const on = present ? "joined" : "left";
        return list === undefined ? [] : own({ ...of, ...at, kind: "list", id: `${id}:${version}`, list, on });
      }
      case "order": {
        const { orderId, order } = change.value;
        const { topic, partition, offset, place } = change.at;
        const at = { stream: `${topic}/${partition}`, position: offset * CHANGES_OF_A_MESSAGE + place };
        return own({ ...of, ...at, kind: "order", id: `${orderId}:${version}`, orderId, order });
      }
      default:
        return [];
    }
  });
}

function suppressedBy({ kind, value }: ReadChange) {
  const isOfWrite = kind === "membership" || kind === "order" || kind === "cart";
  return isOfWrite && suppressesTriggers(value) ? { suppressTriggers: true } : {};
}

async function readNames(transaction: Transaction, changes: readonly ReadChange[]) {
  const memberships = changes.flatMap(({ kind, value }) => (kind === "membership" ? [value] : []));
  const rows = await readListNames(transaction, memberships);
  const names = new Map(rows.map(({ account, id, name }) => [`${account} ${id}`, name]));
  return (account: number, list: number) => names.get(`${account} ${list}`);
}

/** An order that meets the trigger of an orchestration, with its position among the facts. */
interface Met extends OrderKey {
  readonly index: number;
}

/** Lets each order start an orchestration once: by the change with which it first meets the trigger, whatever is decided then. */
async function newFacts(
  transaction: Transaction,
  facts: readonly OwnFact[],
  starting: readonly Starting[],
): Promise<readonly OwnFact[]> {
  const met = await runInSlices(findMet(facts, starting));
  const first = (await insertOrders(transaction, [...met.values()])).flatMap((key) => met.get(metText(key)) ?? []);
  const byFact = Map.groupBy(first, ({ index }) => index);
  return facts.map((one, index) => {
    if (one.fact.kind !== "order") return one;
    return { ...one, starts: new Set((byFact.get(index) ?? []).map(({ orchestration }) => orchestration)) };
  });
}

/** Finds the orders that meet triggers, one trigger at a time. */
function* findMet(facts: readonly OwnFact[], starting: readonly Starting[]): Sliced<Map<string, Met>> {
  const met = new Map<string, Met>();
  for (const [index, { account, fact, revision }] of facts.entries()) {
    if (fact.kind !== "order") continue;
    const { orderId, contact } = fact;
    for (const { account: owner, journey, enabledPosition } of starting) {
      if (owner !== account || revision <= enabledPosition) continue;
      yield;
      if (startOf(journey, fact).kind === "none") continue;
      const key = { account, orchestration: journey.orchestration, orderId, contact };
      if (!met.has(metText(key))) met.set(metText(key), { ...key, index });
    }
  }
  return met;
}

function metText({ account, orchestration, orderId }: OrderKey): string {
  return JSON.stringify([account, orchestration, orderId]);
}
