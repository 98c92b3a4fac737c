import { type Account, accountSettings, versionOf } from "@headwater/contracts";
import type { LoggedOperation } from "@headwater/intake/operations/operation";
import { loggedOperations } from "@headwater/intake/operations/registry";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { changeEventStages } from "./changeEventStages.ts";
import { CORE_MS_MAX, coreMsOnce } from "./coreTime.ts";

/** Puts contacts on every list, as merges can. */
const settings = accountSettings.parse({ limits: { listsPerContact: 10_000 } });
const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings };
const { attributesPerContact, identifiersPerContact, listsPerAccount } = settings.limits;
const RECORD_ATTRIBUTES = 250;
const RECORD_IDENTIFIERS = 60;
const RUNS_MAX = 3;

const operationOf = (name: string): LoggedOperation => {
  const found = loggedOperations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

/** A state with two contacts that together are as large as one may be, both on every list of an account that has as many as it may. */
function fullState() {
  const state = new MemoryState();
  let offset = 0;
  const apply = (name: string, all: readonly object[]) =>
    state.apply(
      account,
      all.map((members) => {
        offset += 1;
        const version = versionOf(1_767_998_832_000 + offset, { lane: 0, partition: 0, offset, place: 0 });
        return { operation: operationOf(name), record: { id: `law:${offset}:0`, receivedAt: 0, ...members }, version };
      }),
    );
  const lists = Array.from({ length: listsPerAccount }, (_, at) => ({ id: at + 1, name: `list-${at}` }));
  for (const list of lists) state.defineList(account.number, { ...list, clearedVersion: undefined });
  for (const who of ["left", "right"]) {
    const email = `${who}@example.com`;
    apply("upsertContact", recordsOf(who, email));
    apply(
      "addContactsToList",
      lists.map(({ id: listId }) => ({ contact: { identifiers: { email } }, listId })),
    );
  }
  return { apply, state };
}

function* range(count: number, step: number): Generator<number> {
  for (let from = 0; from < count; from += step) yield from;
}

/** Records that fill half of what a contact may have; texts fill the rest of its characters. */
function recordsOf(who: string, email: string): object[] {
  const rights = { canBeCreated: true, canBeUpdated: true };
  const records = [...range(attributesPerContact / 2 - 10, RECORD_ATTRIBUTES)].map((from) => ({
    identifiers: { email },
    attributes: Object.fromEntries(
      Array.from({ length: RECORD_ATTRIBUTES }, (_, at) => [`${who}_${from + at}`, "x".repeat(120)]),
    ),
  }));
  const known = [...range(identifiersPerContact / 2 - 20 - RECORD_IDENTIFIERS, RECORD_IDENTIFIERS)].map((from) => ({
    identifiers: {
      email,
      ...Object.fromEntries(Array.from({ length: RECORD_IDENTIFIERS }, (_, at) => [`${who}_id${from + at}`, "v"])),
    },
  }));
  return [...records, ...known].map((contact) => ({ contact: { ...contact, ...rights } }));
}

let merged: BatchChanges | undefined;

test(`a merge of two contacts that fill one, on ${listsPerAccount} lists each, takes less than ${CORE_MS_MAX} ms of a core`, () => {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS_MAX && best > CORE_MS_MAX; run++) {
    const { apply, state } = fullState();
    const merge = {
      contact: { identifiers: { email: "left@example.com" } },
      previous: { identifiers: { email: "right@example.com" } },
    };
    best = Math.min(
      best,
      coreMsOnce(() => apply("mergeContacts", [merge])),
    );
    expect(state.aliases.size).toBe(1);
    merged ??= state.lastChanges;
  }
  expect(best).toBeLessThan(CORE_MS_MAX);
});

test(`what such a merge changed is emitted and written as rows of history in stages below ${CORE_MS_MAX} ms of a core`, () => {
  if (merged === undefined) throw new Error("nothing was merged");
  const { times, changes } = changeEventStages(merged, account);
  expect(changes).toBeGreaterThan(listsPerAccount);
  expect(Object.entries(times).filter(([, ms]) => ms > CORE_MS_MAX)).toEqual([]);
});
