import { type Account, defaultSettings } from "@headwater/contracts";
import { createLogger, manualClock } from "@headwater/kernel";
import { MemoryParked, parkedContract, parkedRow } from "@headwater/testing";
import type { PublishedMessage, RawMessage } from "@headwater/topics";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type RedriveOptions, redriveOnce } from "./redriver.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const logger = createLogger({ name: "test", level: "silent" });

describe("parked records in memory keep the contract of those in Postgres", () => {
  test.each(parkedContract)("%s", (_promise, check) => {
    const parked = new MemoryParked();
    return check({
      parked,
      put: async (rows) => parked.put(rows),
      statusesOf: async (recordIds) =>
        recordIds.map((id) => `${parked.rows.get(id)?.status} ${parked.rows.get(id)?.code}`),
    });
  });
});

let parked: MemoryParked;
let clock: ReturnType<typeof manualClock>;
let published: RawMessage[];
beforeEach(() => {
  [parked, clock, published] = [new MemoryParked(), manualClock(1_000), []];
});

const killed = async () => {
  throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
};

async function publish(messages: readonly RawMessage[]): Promise<PublishedMessage[]> {
  published.push(...messages);
  return messages.map(({ topic, partition }, offset) => ({ topic, partition: partition ?? 0, offset }));
}

function options(more: Partial<RedriveOptions> = {}): RedriveOptions {
  return {
    parked,
    producer: { publish },
    codec: { frame: (subject, id, texts) => Buffer.from(JSON.stringify({ subject, id, records: texts.map(parse) })) },
    account: async (number) => (number === 1 ? account : undefined),
    clock,
    logger,
    ...more,
  };
}

const parse = (text: string): unknown => JSON.parse(text);
const redriven = () => published.map(({ value }) => JSON.parse(value.toString()).records[0].redriveOf);

test("a due record is written to its own partition again, with its version and the number of the attempt", async () => {
  const version = "1".repeat(32);
  parked.put([{ ...parkedRow("r1", 500), version, attempts: 1, payload: '{"contact":{}}' }, parkedRow("r2", 2_000)]);
  expect(await redriveOnce(options())).toBe(1);
  expect(published).toMatchObject([{ topic: "intake.records", partition: 3, key: account.id, headers: { version } }]);
  expect(Object.values(published[0]?.headers ?? {})).toContain("2");
  expect(parse(published[0]?.value.toString() ?? "")).toEqual({
    subject: "intake.upsertContact",
    id: account.id,
    records: [{ contact: {}, redriveOf: "r1" }],
  });
});

test("a record on its way is not written again while its outcome may still come", async () => {
  parked.put([parkedRow("r1", 500)]);
  await redriveOnce(options());
  expect(await redriveOnce(options())).toBe(0);
  clock.advance(60_000);
  expect(await redriveOnce(options())).toBe(1);
  expect(redriven()).toEqual(["r1", "r1"]);
});

/** Each kills the redriver at one step: what it is given instead of its ports. */
const deaths: readonly (readonly [when: string, kill: () => Partial<RedriveOptions>])[] = [
  ["records are taken", () => ({ parked: Object.assign(new MemoryParked(), { takeDue: killed }) })],
  ["accounts are read", () => ({ account: killed })],
  ["the log answers", () => ({ producer: { publish: killed } })],
];

test.each(deaths)(
  "a redriver killed before %s loses no record: each is written when it is due again",
  async (_, kill) => {
    parked.put([parkedRow("r1", 500), parkedRow("r2", 600)]);
    await expect(redriveOnce(options(kill()))).rejects.toThrow("killed");
    expect([...parked.rows.values()].map(({ status }) => status)).toEqual(["parked", "parked"]);
    clock.advance(60_000);
    expect(await redriveOnce(options())).toBe(2);
    expect(redriven()).toEqual(["r1", "r2"]);
  },
);

test("a record that can never be written again is rejected alone, and the others go on", async () => {
  parked.put([
    { ...parkedRow("poison", 500), payload: "not JSON" },
    { ...parkedRow("orphan", 500), account: 9 },
  ]);
  parked.put([parkedRow("sound", 500)]);
  expect(await redriveOnce(options())).toBe(3);
  expect(redriven()).toEqual(["sound"]);
  const statuses = [...parked.rows.values()].map(({ recordId, status, code }) => [recordId, status, code]);
  expect(statuses).toEqual([
    ["poison", "open", "INTERNAL_ERROR"],
    ["orphan", "open", "INTERNAL_ERROR"],
    ["sound", "parked", "CONTACTS_CONTACT_NOT_FOUND"],
  ]);
});

test("a poison record that could not be rejected is met again, and rejected then", async () => {
  parked.put([{ ...parkedRow("poison", 500), payload: "not JSON" }]);
  vi.spyOn(parked, "reject").mockImplementationOnce(killed);
  await expect(redriveOnce(options())).rejects.toThrow("killed");
  expect(parked.rows.get("poison")?.status).toBe("parked");
  clock.advance(60_000);
  await redriveOnce(options());
  expect(parked.rows.get("poison")?.status).toBe("open");
});
