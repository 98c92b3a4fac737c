import { suppressesTriggers, timeOfVersion } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { cartDueAt } from "../orchestrations/start.ts";
import { applyFacts, type Survivors } from "./applyFacts.ts";
import type { Starting } from "./journeys.ts";
import type { ReadChange } from "./readFacts.ts";
import type { RunUnit } from "./runUnit.ts";
import type { UnitPorts } from "./storeUnit.ts";
import { type IdleCart, readCartVersions, storeCarts, takeCartsDueBefore } from "./triggerRows.ts";

type CartChange = Extract<ReadChange, { kind: "cart" }>;

interface Known {
  readonly survivorOf: Survivors;
  readonly starting: readonly Starting[];
}

const cartShape = z.object({
  kind: z.literal("cart"),
  id: z.string(),
  stream: z.string(),
  position: z.int(),
  at: z.int(),
  version: z.string(),
  cart: z.record(z.string(), z.unknown()),
});

/**
 * Begins the time after which carts are idle. One that changed or was emptied begins again, or does not. One that a merge moved has not changed:
 * its time goes on, and whose it is then shows when it is due.
 */
export async function keepCarts(
  transaction: Transaction,
  unit: RunUnit,
  { changes, ...known }: Known & { readonly changes: readonly CartChange[] },
  ports: UnitPorts,
): Promise<void> {
  const own = changes.filter(({ value }) => value.merge !== true);
  const byContact = Map.groupBy(own, ({ value: { account, contact } }) => `${account} ${contact}`);
  // A batch after an outage may hold several changes of a cart, which was idle between them.
  for (let round = 0; ; round++) {
    const next = [...byContact.values()].flatMap((ofContact) => ofContact[round] ?? []);
    if (next.length === 0) return;
    await keepOneEach(transaction, unit, { changes: next, ...known }, ports);
  }
}

/** Takes one change of each cart. Time that was over before it starts a run first. */
async function keepOneEach(
  transaction: Transaction,
  unit: RunUnit,
  { changes, survivorOf, starting }: Known & { readonly changes: readonly CartChange[] },
  ports: UnitPorts,
): Promise<void> {
  const changed = changes.map(({ value: { account, contact, version } }) => ({ account, contact, version }));
  const carts = await takeCartsDueBefore(transaction, changed);
  await startCarts(transaction, unit, { carts, survivorOf, starting }, ports);
  const begun = changes.flatMap((change) => toIdleCarts(change, { survivorOf, starting }));
  await storeCarts(transaction, changed, begun);
}

function toIdleCarts({ value, revision }: CartChange, { survivorOf, starting }: Known): IdleCart[] {
  const { account, contact: number, version, lines, expiresAt, cart } = value;
  const contact = survivorOf(account, number);
  if (contact === undefined || lines === 0 || suppressesTriggers(value)) return [];
  return starting.flatMap(({ account: owner, journey, enabledPosition }) => {
    const dueAt = cartDueAt(journey, timeOfVersion(version));
    if (owner !== account || revision <= enabledPosition || dueAt === undefined) return [];
    if (expiresAt !== null && expiresAt <= dueAt) return [];
    const of = { kind: "cart", id: `${number}:${version}`, stream: "carts", position: revision, at: dueAt } as const;
    const fact: z.input<typeof cartShape> = { ...of, version, cart };
    return [{ account, orchestration: journey.orchestration, contact, fact: JSON.stringify(fact), dueAt }];
  });
}

/** Begins runs of carts whose time is over, where they have stayed as they are. @param known `isBroken` as `applyFacts` has it. */
export async function startCarts(
  transaction: Transaction,
  unit: RunUnit,
  {
    carts,
    survivorOf,
    starting,
    isBroken,
  }: Known & { readonly carts: readonly IdleCart[]; readonly isBroken?: boolean },
  ports: UnitPorts,
): Promise<void> {
  if (carts.length === 0) return;
  for (const { account, orchestration, fact } of await readUnchanged(transaction, carts, survivorOf)) {
    const own = starting.filter((one) => one.account === account && one.journey.orchestration === orchestration);
    // An orchestration that was disabled since starts nobody, one that was enabled again does.
    const facts = [{ account, fact, revision: Number.MAX_SAFE_INTEGER }];
    await applyFacts(transaction, unit, { facts, starting: own, isBroken }, ports);
  }
}

/**
 * Returns the facts of carts that are what they were when their time began. Of two contacts that were merged one cart is left, and changes of
 * it may stand on either's partition.
 */
async function readUnchanged(transaction: Transaction, carts: readonly IdleCart[], survivorOf: Survivors) {
  const owned = carts.flatMap(({ account, orchestration, contact: number, dueAt, fact }) => {
    const contact = survivorOf(account, number);
    if (contact === undefined) return [];
    const { version, ...rest } = cartShape.parse(JSON.parse(fact));
    return [{ account, orchestration, dueAt, version, fact: { ...rest, contact } }];
  });
  const stored = await readCartVersions(
    transaction,
    owned.map(({ account, fact: { contact } }) => ({ account, contact })),
  );
  const current = new Map(stored.map(({ account, contact, version }) => [`${account} ${contact}`, version]));
  return owned.filter(({ account, dueAt, version, fact: { contact } }) => {
    const now = current.get(`${account} ${contact}`);
    // A change after its time takes nothing back.
    return now !== undefined && (now === version || timeOfVersion(now) > dueAt);
  });
}
