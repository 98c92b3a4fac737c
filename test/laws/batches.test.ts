import { type Account, defaultSettings } from "@headwater/contracts";
import { readBatch } from "@headwater/intake/body/readItems";
import { toEntries } from "@headwater/intake/entry/entries";
import { judge } from "@headwater/intake/entry/verdicts";
import type { Operation } from "@headwater/intake/operations/operation";
import { operations } from "@headwater/intake/operations/registry";
import { expect, test } from "vitest";
import { CORE_MS_MAX } from "./coreTime.ts";
import { type Drawn, itemsOf } from "./items.ts";
import { bestMs } from "./longestStep.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings: defaultSettings };
const BATCH_BYTES = 10 * 1024 * 1024;
const drawn: Drawn = { kind: "many", identifiers: 62, channels: 1_000, elements: 3, unknown: 0, wrong: 0 };
const stamp = { requestId: "law", receivedAtMs: 0, isKeyed: false };

/** Builds a batch of as many items as it has space for. */
function batchOf({ name, batchItemsMax }: Operation): string {
  const item = JSON.stringify(itemsOf[name]?.(drawn));
  const count = Math.min(batchItemsMax, Math.floor(BATCH_BYTES / (item.length + 1)));
  return `{"items":[${Array.from({ length: count }, () => item).join(",")}]}`;
}

test.each(operations.map((operation) => [operation.name, operation] as const))(
  `judging a batch of 10 MiB of %s lets go of the loop within ${CORE_MS_MAX} ms of a core`,
  (_name, operation) => {
    const rules = { itemsMax: operation.batchItemsMax, decimalMembers: new Set(operation.decimalMembers) };
    const batch = batchOf(operation);
    const parsed = bestMs(() => readBatch(batch, rules));
    const read = parsed.result;
    if (read.kind !== "items") throw new Error(`the batch is ${read.kind}`);
    const context = { operation, account, scopes: [], nowMs: 1_767_998_832_000, isLarge: true };
    const validated = bestMs(() => judge(read, context));
    const accepted = validated.result.filter((outcome) => outcome.kind === "accepted");
    expect(accepted.length).toBeGreaterThan(0);
    const written = bestMs(() => toEntries(accepted, stamp, { partitions: 8, recordsMax: 10_000 }));
    expect([parsed.ms, validated.ms, written.ms].filter((ms) => ms > CORE_MS_MAX)).toEqual([]);
  },
);
