import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { parseExact } from "@headwater/http";
import { operations } from "@headwater/intake/operations/registry";
import { validateItem } from "@headwater/intake/operations/validateItem";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORE_MS_MAX, coreMs, coreMsOnce, lawRuns } from "./coreTime.ts";
import { type Drawn, itemsOf } from "./items.ts";
import { memberKinds } from "./members.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings: defaultSettings };
const context = { nowMs: Date.parse("2026-01-10T00:00:00Z"), scopes: [] };
const RUNS = lawRuns(6);

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom(...memberKinds),
  identifiers: fc.constantFrom(0, 1, 62),
  channels: fc.constantFrom(0, 1, 1_000),
  elements: fc.constantFrom(1, 3, 1_000),
  unknown: fc.constantFrom(0, 1, 12_000),
  wrong: fc.constantFrom(0, 0, 0, 2_000),
});

const cars = {
  id: 1,
  key: "cars",
  indexes: [],
  contactObject: false,
  autogenerateIDs: false,
  clearedVersion: undefined,
};

/** Every stage of an item's way, from its text to state that holds one like it already. */
function stagesOf(operation: (typeof operations)[number], text: string): Record<string, number> {
  const times: Record<string, number> = {};
  const decimals = new Set(operation.decimalMembers ?? []);
  times.parse = coreMs(() => parseExact(text, decimals));
  const item = parseExact(text, decimals);
  times.validation = coreMs(() => validateItem(operation, account, item, context));
  const result = validateItem(operation, account, item, context);
  if (result.kind === "rejected") return times;
  times.write = coreMs(() => JSON.stringify(result.records));
  const state = new MemoryState();
  state.defineList(account.number, { id: 1, name: "law", clearedVersion: undefined });
  state.defineSupplement(account.number, cars);
  result.records.slice(0, RECORDS_FOLDED).forEach(({ members }, index) => {
    for (const round of [1, 2, 3]) {
      const at = { lane: 0, partition: 0, offset: round, place: index };
      const record = { id: `law:${round}:${index}`, receivedAt: 0, ...members };
      const located = { operation, record, version: versionOf(1_767_998_832_000 + round, at) };
      // The first finds nothing, the others find what the first has written.
      const took = coreMsOnce(() => state.apply(account, [located]));
      times[`fold ${round}`] = Math.max(times[`fold ${round}`] ?? 0, took);
    }
  });
  return times;
}

const RECORDS_FOLDED = 2;

describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
  test(`no stage of an item at its bounds takes ${CORE_MS_MAX} ms of a core`, () => {
    const make = itemsOf[name];
    if (make === undefined) throw new Error(`no items of ${name}`);
    fc.assert(
      fc.property(drawn, (one) => {
        const times = stagesOf(operation, JSON.stringify(make(one)));
        expect(Object.entries(times).filter(([, ms]) => ms > CORE_MS_MAX)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
