import { timeOfVersion } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { applyFacts, loadContacts } from "./applyFacts.ts";
import {
  type ClearedList,
  claimClearedList,
  deleteClearedList,
  moveClearedList,
  readClearedPage,
  takeClearedMembers,
  versionOfClear,
} from "./clearedLists.ts";
import { type MovePorts, moveTogether } from "./moveTogether.ts";
import { stepRuns } from "./storeUnit.ts";
import { readListNames } from "./triggerRows.ts";

/** Rows of a list that one transaction reads. */
const MEMBERS_AT_ONCE = 500;

/**
 * Starts runs of the next members of a list that was emptied by one call. How far it is is stored with them; one that comes again all the same,
 * because its row was written at that time, is known by the clear.
 * @returns whether there was such a list.
 */
export async function startFromClears(ports: MovePorts): Promise<boolean> {
  const nowMs = ports.clock.nowMs();
  let cleared: ClearedList | undefined;
  let last: number | undefined;
  let isOver = false;
  const start = (transaction: Transaction, contacts: readonly number[], isBroken = false) =>
    cleared === undefined
      ? Promise.resolve()
      : startMembers(transaction, { cleared, contacts, isBroken }, { ...ports, nowMs });
  await moveTogether<number>(ports, {
    async claim(transaction) {
      [last, isOver] = [undefined, false];
      cleared = await claimClearedList(transaction);
      if (cleared === undefined) return [];
      isOver = (await readStarting(transaction, cleared, ports)).starting.length === 0;
      if (isOver) return [];
      const page = await readClearedPage(transaction, cleared, MEMBERS_AT_ONCE);
      last = page.last;
      if (last !== undefined) return page.contacts;
      const members = await takeClearedMembers(transaction, cleared, MEMBERS_AT_ONCE);
      isOver = members.length === 0;
      return members;
    },
    work: start,
    fail: (transaction, contact) => start(transaction, [contact], true),
    takeAway: async () => undefined,
    runOf: (contact) => ({ account: cleared?.account ?? 0, id: `list ${cleared?.list}: cleared of ${contact}` }),
    async end(transaction) {
      if (cleared === undefined) return;
      if (isOver) await deleteClearedList(transaction, cleared);
      else if (last !== undefined) await moveClearedList(transaction, cleared, last);
    },
  });
  return cleared !== undefined;
}

interface Leaving {
  readonly cleared: ClearedList;
  readonly contacts: readonly number[];
  readonly isBroken: boolean;
}

function startMembers(
  transaction: Transaction,
  { cleared, contacts: numbers, isBroken }: Leaving,
  ports: MovePorts & { readonly nowMs: number },
): Promise<void> {
  const { account, list: id, position } = cleared;
  const { nowMs } = ports;
  return stepRuns(transaction, ports, async (unit) => {
    const { list, starting } = await readStarting(transaction, cleared, ports);
    const contacts = numbers.map((contact) => ({ account, contact }));
    const survivorOf = await loadContacts(transaction, unit, { contacts, sinceMs: nowMs, nowMs }, ports);
    const version = versionOfClear(cleared);
    // A stream of its own: the contact may have come back before, and its position is that of all who left.
    const of = {
      kind: "list",
      list,
      on: "left",
      at: timeOfVersion(version),
      stream: `clears/${id}`,
      position,
    } as const;
    const facts = numbers.flatMap((number) => {
      const contact = survivorOf(account, number);
      if (contact === undefined) return [];
      return [{ account, fact: { ...of, contact, id: `${id}:${version}:${number}` }, revision: position }];
    });
    await applyFacts(transaction, unit, { facts, starting, isBroken }, ports);
  });
}

/** Returns the name of a list, and the orchestrations that start by leaving it and were enabled before it was emptied. */
async function readStarting(
  transaction: Transaction,
  { account, list: id, position }: ClearedList,
  { journeys }: MovePorts,
) {
  const [named] = await readListNames(transaction, [{ account, list: id }]);
  const list = named?.name ?? "";
  const all = await journeys.starting(transaction, [account]);
  const starting = all.filter(({ journey, enabledPosition }) => {
    const trigger = journey.composition.trigger.list;
    return trigger?.on === "left" && trigger.name.toLowerCase() === list.toLowerCase() && position > enabledPosition;
  });
  return { list, starting };
}
