import { partitionOf } from "@headwater/contracts";
import { runAtOnce } from "@headwater/kernel";
import { describe, expect, it } from "vitest";
import { toEntries as entriesOf } from "./entries.ts";
import type { AcceptedItem } from "./verdicts.ts";

const toEntries = (...input: Parameters<typeof entriesOf>) => runAtOnce(entriesOf(...input));
const rules = { partitions: 8, recordsMax: 10_000 };
const stamp = { requestId: "R", receivedAtMs: 1_700_000_000_000, isKeyed: false };
const item = (index: number, records: AcceptedItem["records"], source?: string): AcceptedItem => ({
  kind: "accepted",
  index,
  source,
  records,
  warnings: [],
});
const record = (identity: string, members: Record<string, unknown> = { contact: {} }) => ({ identity, members });

describe("records on their way to the log", () => {
  it("have an id of request, item and element, the time, and the operation's members", () => {
    const items = [
      item(0, [record("a")]),
      item(2, [record("b", { contact: { x: 'q"\u00e9' }, event: 1 }), record("b")]),
    ];
    const created = toEntries(items, stamp, rules);
    const texts = created.kind === "entries" ? created.entries.map(({ text }): unknown => JSON.parse(text)) : [];
    expect(texts).toEqual([
      { id: "R:0:0", receivedAt: stamp.receivedAtMs, contact: {} },
      { id: "R:2:0", receivedAt: stamp.receivedAtMs, contact: { x: 'q"\u00e9' }, event: 1 },
      { id: "R:2:1", receivedAt: stamp.receivedAtMs, contact: {} },
    ]);
  });

  it("of an item about one contact are to share a frame", () => {
    const items = [item(0, [record("a"), record("a")]), item(1, [record("a"), record("b")]), item(2, [record("a")])];
    const built = toEntries(items, stamp, rules);
    const entries = built.kind === "entries" ? built.entries : [];
    const bytes = (entries[0]?.text.length ?? 0) * 2;
    expect(entries.map((entry) => entry.item)).toEqual([{ records: 2, bytes }, ...Array(4).fill(undefined)]);
  });

  it("carry the source and whether the call had a key", () => {
    const result = toEntries([item(0, [record("a")], 'sh"op')], { ...stamp, isKeyed: true }, rules);
    expect(result.kind === "entries" && JSON.parse(result.entries[0]?.text ?? "")).toMatchObject({
      keyed: true,
      source: 'sh"op',
    });
  });

  it("carry a partner's name of their part, each its own", () => {
    const made = toEntries([{ ...item(0, [record("a"), record("b")]), once: "ab12" }], stamp, rules);
    const texts = made.kind === "entries" ? made.entries.map(({ text }): unknown => JSON.parse(text)) : [];
    expect(texts).toMatchObject([{ once: "ab12:0" }, { once: "ab12:1" }]);
  });

  it("go to the partition of their identity, which is also their key", () => {
    const made = toEntries([item(0, [record("some identity")])], stamp, rules);
    expect(made).toMatchObject({
      entries: [{ key: "some identity", partition: partitionOf("some identity", 8) }],
    });
  });

  it("are at most 10,000 of a request", () => {
    const records = Array.from({ length: 5_000 }, () => record("a"));
    expect(toEntries([item(0, records), item(1, records)], stamp, rules).kind).toBe("entries");
    expect(toEntries([item(0, records), item(1, records), item(2, [record("a")])], stamp, rules)).toEqual({
      kind: "tooLarge",
      what: "records",
      max: 10_000,
    });
  });

  it("are at most 32 MiB of a request, counted in UTF-8", () => {
    const euros = record("a", { text: "\u20ac".repeat(1024 * 1024) });
    expect(toEntries([item(0, Array(10).fill(euros))], stamp, rules).kind).toBe("entries");
    expect(toEntries([item(0, Array(11).fill(euros))], stamp, rules)).toMatchObject({ what: "bytes_written" });
  });
});
