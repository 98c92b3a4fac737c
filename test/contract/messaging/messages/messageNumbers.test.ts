import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { parseDecimal, parseMcId, parseMessageId } from "@headwater/contracts";
import {
  compileMessageNumbers,
  MESSAGE_RATES,
  MESSAGE_STATS,
  type NumbersQuestion,
  rateSql,
  ratesOf,
} from "@headwater/criteria";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { evaluateNumbers, type Stats } from "./evaluateNumbers.ts";
import { loadCampaign } from "./loadCampaign.ts";
import { mcIdVectors, messageIdVectors } from "./mcIds.ts";
import { randomCampaign, randomSelection, randomTime } from "./randomCampaign.ts";

/** Campaigns and questions come from this seed; each campaign is asked `QUESTIONS` questions. */
const SEED = seedFrom(process.env.NUMBERS_SEED);
const CAMPAIGNS = Number(process.env.NUMBERS_CAMPAIGNS || 2);
const QUESTIONS = 20;
const TIMEOUT_MS = 60_000 + CAMPAIGNS * 60_000;

let fresh: Fresh<ClickHouse>;
let clickHouse: ClickHouse;
let accounts = 0;

beforeAll(async () => {
  fresh = await freshClickHouse();
  clickHouse = fresh.store;
});
afterAll(() => fresh.drop());

type Row = Readonly<Record<string, number | string>>;

async function found(question: NumbersQuestion): Promise<Map<string, Stats>> {
  const { sql, prefix, params } = compileMessageNumbers(question);
  const rows = await clickHouse.query<Row>(`${prefix}SELECT * FROM (${sql})`, params);
  return new Map(rows.map((row) => [keyOf(row, question), statsOf(row)]));
}

function keyOf({ message, part }: Row, { view }: NumbersQuestion): string {
  if (view === "total") return "";
  return view === "type" ? String(part) : `${message}\n${part}`;
}

function statsOf(row: Row): Stats {
  const value = (stat: string) => (stat === "revenue" ? parseDecimal(String(row.revenue)) : BigInt(row[stat] ?? -1));
  return Object.fromEntries(MESSAGE_STATS.map((stat) => [stat, value(stat) ?? -1n]));
}

/** Variants are those of sends. */
const randomView = fc.oneof(
  fc.record({
    basis: fc.constantFrom("sent" as const, "event" as const),
    view: fc.constantFrom("message" as const, "day" as const, "type" as const, "total" as const),
  }),
  fc.constant({ basis: "sent" as const, view: "variant" as const }),
);
const randomQuestion = fc.record({
  time: randomTime,
  messages: randomSelection,
  how: randomView,
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"),
  currency: fc.constantFrom("USD", "EUR"),
  attributionDays: fc.constantFrom(0, 1, 2, 5),
});

test(
  `numbers are those of a plain evaluation of all events in memory (NUMBERS_SEED=${SEED})`,
  async () => {
    for (const campaign of fc.sample(randomCampaign, { seed: SEED, numRuns: CAMPAIGNS })) {
      accounts += 1;
      const account = accounts;
      await loadCampaign(clickHouse, account, campaign);
      const property = fc.asyncProperty(randomQuestion, async ({ time, how, ...rest }) => {
        const question: NumbersQuestion = { account, ...time, ...how, ...rest };
        expect(await found(question)).toEqual(evaluateNumbers(campaign, question));
      });
      await fc.assert(property, { seed: SEED, numRuns: QUESTIONS });
    }
  },
  TIMEOUT_MS,
);

test("an account without activities has no messages, and zeros in all", async () => {
  const question = {
    account: 4_000_000,
    from: 0,
    to: Date.UTC(2100, 0),
    basis: "sent",
    timezone: "UTC",
    attributionDays: 5,
  } as const;
  const empty = (view: NumbersQuestion["view"]) => found({ ...question, view, messages: {}, currency: "USD" });
  expect(await empty("message")).toEqual(new Map());
  expect(await empty("total")).toEqual(new Map([["", Object.fromEntries(MESSAGE_STATS.map((stat) => [stat, 0n]))]]));
});

test("the store reads mcIDs and ids of messages as the services do", async () => {
  for (const [text, expected] of mcIdVectors) expect([text, parseMcId(text)]).toEqual([text, expected]);
  for (const [text, expected] of messageIdVectors) expect([text, parseMessageId(text)]).toEqual([text, expected]);
  const account = 4_000_001;
  const rows = mcIdVectors.map(([text], index) => JSON.stringify([account, 1, "open", `u${index}`, text, "{}"]));
  await clickHouse.insertBlock({
    table: "activities",
    columns: ["account", "contact", "action", "uid", "mc_id", "properties"],
    body: rows.join("\n"),
    token: "vectors",
  });
  const read = await clickHouse.query<Row>(
    "SELECT mc_id, message, message_period AS period, message_type AS type FROM activities WHERE account = {account: UInt32}",
    { account },
  );
  const parts = new Map(read.map(({ mc_id, ...row }) => [mc_id, row]));
  expect(parts).toEqual(
    new Map(mcIdVectors.map(([text, expected]) => [text, { message: "", period: "", type: "", ...pick(expected) }])),
  );
  const named = [
    ...mcIdVectors.map(([mcID, expected]) => [{ mcID, msID: "m9" }, expected ?? { message: "m9", type: "b" }] as const),
    ...messageIdVectors.map(([msID, expected]) => [{ msID }, expected && { ...expected, type: "b" }] as const),
  ];
  await clickHouse.insertBlock({
    table: "orders_current",
    columns: ["account", "order_id", "document", "revision"],
    body: named
      .map(([document], index) => JSON.stringify([account, `o${index}`, JSON.stringify(document), 1]))
      .join("\n"),
    token: "vectors",
  });
  const orders = await clickHouse.query<Row>(
    "SELECT order_id AS id, message, message_period AS period, message_type AS type FROM orders_current WHERE account = {account: UInt32}",
    { account },
  );
  const ofOrders = new Map(orders.map(({ id, ...row }) => [id, row]));
  expect(ofOrders).toEqual(
    new Map(
      named.map(([, expected], index) => [`o${index}`, { message: "", period: "", type: "", ...pick(expected) }]),
    ),
  );
});

function pick(expected: object | undefined): object {
  const members = Object.entries(expected ?? {}).filter(([name]) => ["message", "period", "type"].includes(name));
  return Object.fromEntries(members);
}

const none = {
  ...{ sent: 0, delivered: 0, bounce_hard: 0, bounce_soft: 0, bounce_total: 0, opens: 0, opens_unique: 0 },
  ...{ opens_machine: 0, clicks: 0, clicks_unique: 0, clicks_machine: 0, opt_outs: 0, complaints: 0, orders: 0 },
};

test("rates are the same in SQL as in memory", async () => {
  const counts = fc.record(
    Object.fromEntries(MESSAGE_STATS.map((stat) => [stat, fc.nat(stat === "sent" ? 9 : 1_000_000)])),
  );
  for (const one of fc.sample(counts, { seed: SEED, numRuns: 20 })) {
    const columns = Object.entries(one).map(([stat, count]) => `toUInt64(${count}) AS ${stat}`);
    const rates = MESSAGE_RATES.map((rate) => `${rateSql(rate)} AS ${rate}`);
    const [row] = await clickHouse.query(`SELECT ${rates.join(", ")} FROM (SELECT ${columns.join(", ")})`);
    expect(row).toEqual(ratesOf({ ...none, ...one }));
  }
});
