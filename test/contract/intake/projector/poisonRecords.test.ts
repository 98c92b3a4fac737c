import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createRedrive } from "@headwater/intake/deadLetters/redrives";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { createMemorySinks, type MemorySinks } from "./memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "./memoryStream.ts";

let stream: MemoryStream;
let fresh: Fresh<ClickHouse>;
let sinks: MemorySinks;
beforeAll(async () => {
  [stream, fresh] = await Promise.all([startMemoryStream(), freshClickHouse()]);
  sinks = createMemorySinks(stream, fresh.store);
});
afterAll(async () => {
  await stream.drop();
  await fresh.drop();
});

const NINETEEN_DIGITS = Number("1234567890123456789");
const TIME = "2026-01-01T00:00:00Z";
let sent = 0;
function idOf(): string {
  sent += 1;
  return `request${sent}:0:0`;
}
function activity(event: object, contact: object = {}) {
  const identifiers = { email: "ada@example.com" };
  const named = { name: "visit", time: TIME, ...event };
  return { id: idOf(), receivedAt: stream.clock.nowMs(), contact: { identifiers, ...contact }, event: named };
}
const append = (...records: readonly object[]) => stream.append("createContactactivities", records);
/** Straight into the log, as only an operator's tool could write it. */
const put = (value: unknown, subject = "intake.createContactactivities") =>
  stream.write([
    { topic: "intake.records", partition: 0, key: "k", value: Buffer.from(JSON.stringify({ subject, value })) },
  ]);

/** All groups of new processes, which is also a restart of each. */
async function runAll(): Promise<void> {
  await stream.apply();
  await stream.count();
  stream.clock.advance(1_000);
  await sinks.activities();
  await sinks.publish();
  await sinks.history();
}

async function actions(): Promise<readonly string[]> {
  const rows = await fresh.store.query<{ action: string }>("SELECT action FROM activities ORDER BY log_offset, place");
  return rows.map(({ action }) => action);
}

interface DeadLetter {
  readonly id: string;
  readonly code: string;
  readonly status: string;
  readonly by: string | null;
}
function deadLetters(): Promise<DeadLetter[]> {
  const text = `SELECT record_id AS id, code, status, quarantined_by AS by FROM rejects
    WHERE account = $1 ORDER BY log_offset, place`;
  return stream.postgres.query<{ id: string; code: string; status: string; by: string | null }>({ text }, [
    stream.account.number,
  ]);
}

/** Both counts of all accounts. */
async function balance() {
  const text = `SELECT (SELECT COALESCE(sum(records), 0) FROM log_counts)::bigint AS accepted,
    (SELECT COALESCE(sum(applied + skipped), 0) FROM outcome_counts)::bigint AS dealt,
    (SELECT count(*) FROM rejects WHERE status IN ('open', 'redriven', 'discarded', 'parked')
      AND (quarantined_by IS NULL OR quarantined_by = 'activities'))::bigint AS rejected`;
  const [row] = await stream.postgres.query<{ accepted: number; dealt: number; rejected: number }>({ text });
  return row ?? { accepted: 0, dealt: 0, rejected: 0 };
}
async function expectBalanced() {
  const { accepted, dealt, rejected } = await balance();
  expect(dealt + rejected).toBe(accepted);
}

test("a property name of thousands of parts is stored flat, and its neighbours with it", async () => {
  stream.append("upsertContact", [
    {
      ...activity({}),
      event: undefined,
      contact: { identifiers: { email: "ada@example.com" }, canBeCreated: true, attributes: { plan: "x" } },
    },
  ]);
  const name = Array.from({ length: 4_500 }, () => "0").join(".");
  append(
    activity({ name: "before" }),
    activity({ name: "dotted", properties: { [name]: 1 } }),
    activity({ name: "behind" }),
  );
  await runAll();
  expect(await actions()).toEqual(["before", "dotted", "behind"]);
  const [row] = await fresh.store.query<{ properties: string }>(
    "SELECT properties FROM activities WHERE action = 'dotted'",
  );
  expect(JSON.parse(row?.properties ?? "{}")).toEqual({ [name]: 1 });
  await expectBalanced();
});

test("an activity that was applied and cannot be written is rejected alone, whether its row cannot be made or is refused", async () => {
  await fresh.store.command("ALTER TABLE activities ADD CONSTRAINT refused CHECK action != 'refused'");
  const nameless = activity({ name: 17 });
  const tooDeep = activity({ name: "deep", properties: { deep: "DEEP" } });
  const refused = activity({ name: "refused" });
  const records = [activity({ name: "one" }), nameless, activity({ name: "two" }), tooDeep, refused];
  const text = JSON.stringify({
    subject: "intake.createContactactivities",
    value: { account: stream.account.id, records },
  });
  const deep = `${'{"a":['.repeat(20_000)}1${"]}".repeat(20_000)}`;
  const value = Buffer.from(text.replace('"DEEP"', deep));
  await stream.write([{ topic: "intake.records", partition: 0, key: "k", value }]);
  append(activity({ name: "three" }), refusedAgain(), activity({ name: "four" }));
  await runAll();
  expect((await actions()).slice(3)).toEqual(["one", "two", "deep", "three", "four"]);
  const quarantined = { code: "INTERNAL_ERROR", status: "open", by: "activities" };
  const ids = [nameless.id, refused.id, `request${sent - 1}:0:0`];
  expect(await deadLetters()).toEqual(ids.map((id) => ({ id, ...quarantined })));
  await expectBalanced();
  await runAll();
  expect((await actions()).length).toBe(8);
  expect((await deadLetters()).length).toBe(3);
  await expectBalanced();
});

function refusedAgain() {
  return activity({ name: "refused" });
}

test.each(["before the insert", "behind the quarantine"])(
  "a process killed %s of a range with poison leaves it to the next one, and nothing is lost or doubled",
  async (when) => {
    const before = await actions();
    const poison = activity({ name: "refused" });
    append(activity({ name: "left" }), poison, activity({ name: "right" }));
    await stream.apply();
    await stream.count();
    stream.clock.advance(1_000);
    const killed = () => {
      throw Object.assign(new Error("killed"), { retriable: true });
    };
    const options = when === "before the insert" ? { beforeInsert: async () => killed() } : { onQuarantined: killed };
    await expect(sinks.activities(options)).rejects.toThrow("killed");
    await sinks.activities();
    expect(await actions()).toEqual([...before, "left", "right"]);
    expect((await deadLetters()).filter(({ id }) => id === poison.id)).toEqual([
      { id: poison.id, code: "INTERNAL_ERROR", status: "open", by: "activities" },
    ]);
    await expectBalanced();
  },
);

test("frames and members that are none of ours stop no group, and are one dead letter each", async () => {
  const before = await actions();
  const good = (name: string) => activity({ name });
  const account = stream.account.id;
  const broken: readonly unknown[] = [
    null,
    17,
    { account, records: 5 },
    { account, records: null },
    { records: [good("x")] },
    { account: "f".repeat(24), records: [good("x")] },
    { account: "\u0000", records: [good("x")] },
    { account, records: Array.from({ length: 10_000 }, () => good("x")) },
  ];
  for (const value of broken) await put(value);
  await put({ account, records: [good("x")] }, "");
  await put({ account, records: [good("x")] }, "intake.unknown");
  await stream.write([{ topic: "intake.records", partition: 0, key: "k", value: Buffer.from([0, 1]) }]);
  const members: readonly unknown[] = [
    null,
    [],
    "text",
    {},
    { ...good("x"), id: "a\u0000b" },
    { ...good("x"), id: 5 },
    { ...good("x"), receivedAt: NINETEEN_DIGITS },
    { ...good("x"), redriveOf: { a: 1 } },
    activity({ name: "NUL", UID: "a\u0000b", properties: { a: "\u0000" } }),
    { ...good("x"), contact: { identifiers: { email: "a\u0000@example.com" } } },
  ];
  await put({ account, records: [good("first"), ...members, good("last")] });
  const shapes: readonly object[] = [
    { ...good("x"), contact: null },
    { ...good("x"), contact: undefined },
    { ...good("x"), contact: { identifiers: "x" } },
    { ...good("x"), event: null },
    { ...good("x"), event: undefined },
    activity({ name: null }),
    activity({ name: "big", properties: { n: NINETEEN_DIGITS } }),
    { ...good("numbered"), id: "request:99999999999999999999:0" },
  ];
  append(good("begin"), ...shapes, good("end"));
  await runAll();
  const written = (await actions()).slice(before.length);
  expect(written).toEqual(expect.arrayContaining(["first", "last", "begin", "big", "numbered", "end"]));
  const { rows } = await strays();
  expect(rows).toBe(broken.length + 3 + members.length);
  await expectBalanced();
  await runAll();
  expect((await strays()).rows).toBe(rows);
  expect((await actions()).slice(before.length)).toEqual(written);
  await expectBalanced();
});

async function strays(): Promise<{ readonly rows: number }> {
  const [row] = await stream.postgres.query<{ rows: number }>({
    text: "SELECT count(*) AS rows FROM rejects WHERE account = 0 AND quarantined_by IS NULL",
  });
  return row ?? { rows: 0 };
}

test("an account that is made between state and the sink stops nobody: its frame was refused whole", async () => {
  const before = await actions();
  append(activity({ name: "refused whole" }));
  const text = "SELECT next_offset AS next FROM stream_offsets WHERE grp = 'state' AND partition = 0";
  const [row] = await stream.postgres.query<{ next: number }>({ text });
  await stream.apply({
    start: async () => ({ fromOffset: row?.next ?? 0 }),
    batch: async ({ frames }) => ({ kind: "next", offset: (frames.at(-1)?.offset ?? 0) + 1 }),
  });
  const offset = row?.next ?? 0;
  await stream.postgres.execute(
    {
      text: `INSERT INTO rejects (account, record_id, request_id, operation, topic, partition, log_offset, place, item_index, status, code, path,
        message, payload, version, received_at, rejected_at)
        VALUES (0, $1, '', '', 'intake.records', 0, $2, 0, 0, 'open', 'VALIDATION_ERROR', '', 'its account does not exist', '{}',
          '00000000000000000000000000000000', 0, 0)`,
    },
    [`intake.records:0:${offset}`, offset],
  );
  await stream.postgres.execute({
    text: "UPDATE stream_offsets SET next_offset = next_offset + 1, last_print = NULL WHERE grp = 'state' AND partition = 0",
  });
  stream.clock.advance(1_000);
  await sinks.activities();
  expect(await actions()).toEqual(before);
  await stream.postgres.execute({
    text: "UPDATE stream_offsets SET last_record_id = NULL WHERE grp = 'state' AND partition = 0",
  });
});

test("a quarantined activity is redriven once the defect is mended: written once, its contact's part not applied again", async () => {
  const before = await actions();
  const contact = { attributes: { visits: { add: ["x"] } }, canBeUpdated: true };
  const poison = activity({ name: "refused", UID: "uid-1" }, contact);
  append(poison);
  await runAll();
  const tags = async () => {
    const key = { name: "email", value: "ada@example.com" };
    const found = await readContactByIdentifiers(stream.postgres, stream.account.number, [key]);
    return JSON.stringify(found).match(/"visits":[^\]]*\]/)?.[0];
  };
  const once = await tags();
  await fresh.store.command("ALTER TABLE activities DROP CONSTRAINT refused");
  const nowMs = stream.clock.nowMs();
  await stream.postgres.transaction((transaction) =>
    createRedrive(transaction, {
      id: "a".repeat(24),
      account: stream.account.number,
      selection: { ids: [poison.id] },
      patch: null,
      scopes: [],
      madeBy: "test",
      createdAt: nowMs,
      selected: 1,
    }),
  );
  await stream.redriveAll();
  await runAll();
  expect((await actions()).toSorted()).toEqual([...before, "refused"].toSorted());
  expect(await tags()).toBe(once);
  const [deadLetter] = (await deadLetters()).filter(({ id }) => id === poison.id);
  expect(deadLetter).toMatchObject({ status: "redriven" });
  await expectBalanced();
});
