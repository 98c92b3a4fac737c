import type { Transaction } from "@headwater/postgres/connection/session";
import { applyFacts, loadContacts, type OwnFact, readMessages, type Survivors, toActivity } from "./applyFacts.ts";
import type { ReadChange } from "./readFacts.ts";
import type { RunUnit } from "./runUnit.ts";
import type { UnitPorts } from "./storeUnit.ts";

/** Facts may be read so much later than they came: goals count by when they came. */
const LATE_MS = 7 * 86_400_000;

/** Applies change events of one topic to runs, and begins those that they start. An account without orchestrations costs one look-up. */
export async function applyChanges(
  transaction: Transaction,
  unit: RunUnit,
  changes: readonly ReadChange[],
  ports: UnitPorts & { readonly nowMs: number },
): Promise<void> {
  const relevant = changes.filter(isRelevant);
  if (relevant.length === 0) return;
  const accounts = [...new Set(relevant.map(({ value }) => value.account))];
  const starting = await ports.journeys.starting(transaction, accounts);
  const contacts = relevant.map(({ value: { account, contact } }) => ({ account, contact }));
  const { nowMs } = ports;
  const survivorOf = await loadContacts(transaction, unit, { contacts, sinceMs: nowMs - LATE_MS, nowMs }, ports);
  const facts = await toFacts(transaction, relevant, survivorOf);
  await applyFacts(transaction, unit, { facts, starting }, ports);
}

/** Returns whether a change moves runs. A contact matters when it was merged: what belonged to both is joined. */
function isRelevant(change: ReadChange): boolean {
  return change.kind === "activity" || (change.kind === "contact" && change.value.mergedInto !== undefined);
}

async function toFacts(
  transaction: Transaction,
  changes: readonly ReadChange[],
  survivorOf: Survivors,
): Promise<OwnFact[]> {
  const messageOf = await readMessages(transaction, changes);
  return changes.flatMap((change) => {
    const { account, contact: number } = change.value;
    const contact = survivorOf(account, number);
    if (contact === undefined || change.kind !== "activity") return [];
    const fact = toActivity(change, contact, messageOf(change.value));
    return [{ account, fact, revision: change.revision }];
  });
}
