import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { validateItem } from "@headwater/intake/operations/validateItem";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { changeEventStages } from "./changeEventStages.ts";
import { CORE_MS_MAX } from "./coreTime.ts";
import { itemsOf } from "./items.ts";
import { memberKinds } from "./members.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings: defaultSettings };
const context = { nowMs: Date.parse("2026-01-10T00:00:00Z"), scopes: [] };
const RECORDS_EMITTED = 2;
const ROUNDS = [1, 2, 3];
const table = { indexes: [], contactObject: false, autogenerateIDs: false, clearedVersion: undefined };
/** Activities change nothing of the history, and their rows have a law of their own. */
const emitting = operations.filter(({ name }) => name !== "createContactactivities");

/** Returns a state with the contacts that are put on a list, or are on it where they are taken off. */
function peopled(name: string): MemoryState {
  const state = new MemoryState();
  state.defineList(account.number, { id: 1, name: "law", clearedVersion: undefined });
  state.defineSupplement(account.number, { id: 1, key: "cars", ...table });
  const seed = name === "removeContactsFromList" ? "addContactsToList" : "upsertContact";
  const operation = operations.find((one) => one.name === seed);
  if (operation === undefined || !name.includes("List")) return state;
  const records = Array.from({ length: RECORDS_EMITTED }, (_, index) => {
    const contact = { identifiers: { email: `law-${index}@example.com` }, canBeCreated: true };
    const record = { id: `seed:${index}:0`, receivedAt: 0, contact, canBeCreated: true, listName: "law" };
    return { operation, record, version: versionOf(1, { lane: 0, partition: 0, offset: 0, place: index }) };
  });
  state.apply(account, records);
  return state;
}

describe.each(emitting.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
  let emitted = 0;

  test.each(memberKinds)(
    `emits change events of its greatest records of %s in stages below ${CORE_MS_MAX} ms of a core`,
    (kind) => {
      const amounts = { identifiers: 60, channels: 1_000, elements: 1_000, unknown: 0, wrong: 0 };
      const all = [1, 1_000].map((elements) => itemsOf[name]?.({ ...amounts, kind, elements }));
      for (const item of all) {
        const result = validateItem(operation, account, JSON.parse(JSON.stringify(item)), context);
        if (result.kind === "rejected") continue;
        const state = peopled(name);
        for (const [position, { members }] of result.records.slice(0, RECORDS_EMITTED).entries()) {
          for (const offset of ROUNDS) {
            const version = versionOf(1_767_998_832_000 + offset, { lane: 0, partition: 0, offset, place: position });
            state.apply(account, [
              { operation, record: { id: `law:${offset}:${position}`, receivedAt: 0, ...members }, version },
            ]);
            if (state.lastChanges === undefined) continue;
            const { times, changes } = changeEventStages(state.lastChanges, account);
            emitted += changes;
            expect(Object.entries(times).filter(([, ms]) => ms > CORE_MS_MAX)).toEqual([]);
          }
        }
      }
    },
  );

  test("change events were emitted above", () => expect(emitted).toBeGreaterThan(0));
});
