import { RowBinary } from "@headwater/clickhouse/rowBinary";
import { type Account, defaultSettings, type JsonPatch } from "@headwater/contracts";
import { validateRedrive } from "@headwater/intake/operations/redrive";
import { operations } from "@headwater/intake/operations/registry";
import { validateItem } from "@headwater/intake/operations/validateItem";
import { ActivityItem } from "@headwater/intake/sink/activityItem";
import type { SinkTables } from "@headwater/intake/sink/sink";
import { describe, expect, test } from "vitest";
import { CORE_MS_MAX, coreMs } from "./coreTime.ts";
import { type Drawn, itemsOf } from "./items.ts";
import { memberKinds } from "./members.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings: defaultSettings };
const context = { nowMs: Date.parse("2026-01-10T00:00:00Z"), scopes: [] };
const drawn = (kind: Drawn["kind"]): Drawn => ({
  kind,
  identifiers: 60,
  channels: 0,
  elements: 1,
  unknown: 0,
  wrong: 0,
});

/** Every record the greatest item of an operation becomes; none where that kind of member may not be as large. */
function recordsOf(operation: (typeof operations)[number], kind: Drawn["kind"]) {
  const item: unknown = JSON.parse(JSON.stringify(itemsOf[operation.name]?.(drawn(kind))));
  const result = validateItem(operation, account, item, context);
  return result.kind === "rejected" ? [] : result.records;
}

const patches: Readonly<Record<string, JsonPatch>> = {
  "a small one": [{ op: "add", path: "/source", value: "patched" }],
  "copies of the whole": Array.from({ length: 100 }, (_, at) => ({ op: "copy", from: "", path: `/c${at}` })),
};

describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
  test.each(memberKinds)(
    `a redrive of its greatest record of %s takes less than ${CORE_MS_MAX} ms of a core`,
    (kind) => {
      for (const { members } of recordsOf(operation, kind).slice(0, 1)) {
        const refused = { operation: name, payload: JSON.stringify({ id: "law:0:0", receivedAt: 0, ...members }) };
        for (const patch of [undefined, ...Object.values(patches)]) {
          expect(coreMs(() => validateRedrive(refused, { account, patch, ...context }))).toBeLessThan(CORE_MS_MAX);
        }
      }
    },
  );
});

const activities = operations.find(({ name }) => name === "createContactactivities");
const frame = { offset: 1, timeMs: 0, key: undefined, value: Buffer.alloc(0), headers: {} };
test.each(memberKinds)(`the row of the greatest activity of %s takes less than ${CORE_MS_MAX} ms of a core`, (kind) => {
  if (activities === undefined) throw new Error("no activities");
  for (const { members } of recordsOf(activities, kind)) {
    const record = { id: "law:0:0", receivedAt: 0, ...members };
    const key = { group: "activities", topic: "intake.records", generation: 0, partition: 0 };
    const at = { account: { number: 1, timezone: "UTC" }, contact: 1, key, frame, place: 0 };
    const rows = new RowBinary();
    const add: SinkTables["add"] = (table, row) => table.write(rows, row);
    expect(coreMs(() => new ActivityItem(record, at).write({ add }))).toBeLessThan(CORE_MS_MAX);
  }
});
