import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type CompileOptions, compileCriteria, parseCriteria } from "@headwater/criteria";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { contextOf } from "./contextOf.ts";
import { evaluate, type Question } from "./evaluate.ts";
import { compare } from "./evaluateCondition.ts";
import { everyOperator } from "./everyOperator.ts";
import { loadWorld } from "./loadWorld.ts";
import type { World } from "./model.ts";
import { randomCriteria } from "./randomCriteria.ts";
import { NOW, randomWorld } from "./randomWorld.ts";
import type { Rule } from "./rule.ts";

/** Worlds and rules come from this seed; each world is asked `RULES` rules. */
const SEED = seedFrom(process.env.AUDIENCE_SEED);
const WORLDS = Number(process.env.AUDIENCE_WORLDS || 1);
const RULES = 25;
/** Worlds that are asked every operator of every type: hundreds of rules each, so a long run does not ask all of them. */
const OPERATOR_WORLDS = Math.min(Math.ceil(WORLDS / 2), 20);
/** A short run asks each operator in one of the questions, which the seed chooses. */
const isAsked = (at: number, question: Question) =>
  WORLDS > 2 || (at + SEED) % questions.length === questions.indexOf(question);
const TIMEOUT_MS = 60_000 + WORLDS * 60_000;

const DAY = 86_400_000;
let fresh: Fresh<ClickHouse>;
let clickHouse: ClickHouse;
let accounts = 0;

beforeAll(async () => {
  fresh = await freshClickHouse();
  clickHouse = fresh.store;
});
afterAll(() => fresh.drop());

async function resolve(world: World): Promise<number> {
  accounts += 1;
  await loadWorld(clickHouse, accounts, world);
  return accounts;
}

type Row = Readonly<Record<string, number>> & { readonly sample?: readonly string[] };

async function ask(rule: object, world: World, options: Omit<CompileOptions, "hasMerges">) {
  const parsed = parseCriteria(rule, contextOf(world));
  if (parsed.kind === "invalid") throw new Error(JSON.stringify([rule, parsed.errors]));
  const compiled = compileCriteria(parsed.criteria, { ...options, hasMerges: world.aliases.size > 0 });
  const [row] = await clickHouse.query<Row>(compiled.sql, compiled.params);
  if (row === undefined) throw new Error("a count answers one row");
  return { row, compiled };
}

/** Numbers of the contacts that the store finds. */
async function found(rule: object, world: World, question: Question, account: number): Promise<number[]> {
  const { row } = await ask(rule, world, { ...question, account, sampleSize: 1_000 });
  const numbers = new Map(world.contacts.map(({ cid, number }) => [cid, number]));
  const members = (row.sample ?? []).map((cid) => numbers.get(cid) ?? Number.NaN);
  expect(row.count).toBe(members.length);
  return members.sort((a, b) => a - b);
}

/** Numbers of the contacts that the plain evaluation in memory finds. */
function expected(rule: object, world: World, question: Question): number[] {
  return [...evaluate(rule, world, question)].sort((a, b) => a - b);
}

const questions: readonly Question[] = [
  { now: NOW, basis: "recorded", timezone: "Europe/Berlin", currency: "USD" },
  { now: NOW, asOf: NOW - 60 * DAY, basis: "recorded", timezone: "America/New_York", currency: "USD" },
  { now: NOW, asOf: NOW - 60 * DAY, basis: "event", timezone: "Asia/Kolkata", currency: "EUR" },
];

const title = `an audience with basis $basis and asOf $asOf (AUDIENCE_SEED=${SEED})`;
describe.each(questions)(title, { timeout: TIMEOUT_MS }, (question) => {
  test("a count holds the contacts that a plain evaluation in memory holds, whatever the rules", async () => {
    for (const world of fc.sample(randomWorld, { seed: SEED, numRuns: WORLDS })) {
      const account = await resolve(world);
      const property = fc.asyncProperty(randomCriteria, async (rule) => {
        expect(await found(rule, world, question, account)).toEqual(expected(rule, world, question));
      });
      await fc.assert(property, { seed: SEED, numRuns: RULES });
    }
  });

  test("a count is the same as the plain evaluation for every operator of every type", async () => {
    for (const world of fc.sample(randomWorld, { seed: SEED, numRuns: OPERATOR_WORLDS })) {
      const account = await resolve(world);
      for (const rule of everyOperator.filter((_, at) => isAsked(at, question))) {
        expect([rule, await found(rule, world, question, account)]).toEqual([rule, expected(rule, world, question)]);
      }
    }
  });

  test("a count says of a contact at which nodes it is in, as the plain evaluation does, and what was counted there", async () => {
    const [world] = fc.sample(randomWorld, { seed: SEED, numRuns: 1 });
    if (world === undefined) throw new Error("a sample of one has one");
    const account = await resolve(world);
    const contacts = fc.constantFrom(...world.contacts.map(({ number }) => number));
    const property = fc.asyncProperty(randomCriteria, contacts, async (rule, contact) => {
      const { row, compiled } = await ask(rule, world, { ...question, account, contact });
      const nodes = compiled.contact?.nodes ?? [];
      expect(row[compiled.contact?.in ?? ""]).toBe(Number(expected(rule, world, question).includes(contact)));
      expect(nodes.length).toBeGreaterThan(0);
      for (const { path, in: column, saw } of nodes) {
        const node = nodeAt(rule, path);
        const isIn = expected(node, world, question).includes(contact);
        expect([rule, path, row[column]]).toEqual([rule, path, Number(isIn)]);
        const isLive = expected({ and: [] }, world, question).includes(contact);
        if (saw !== undefined && isLive && isCounted(node))
          expect([node, countPasses(node, Number(row[saw]))]).toEqual([node, isIn]);
      }
    });
    await fc.assert(property, { seed: SEED, numRuns: RULES });
  });

  test("a count and its complement are all contacts together", async () => {
    const [world] = fc.sample(randomWorld, { seed: SEED, numRuns: 1 });
    if (world === undefined) throw new Error("a sample of one has one");
    const options = { ...question, account: await resolve(world), explain: true };
    const property = fc.asyncProperty(randomCriteria, async (rule) => {
      const { row, compiled } = await ask({ or: [rule, { not: rule }, { and: [] }] }, world, options);
      const count = (path: string) =>
        row[compiled.nodes.find((node) => node.path === path)?.column ?? ""] ?? Number.NaN;
      expect(count("/or/0") + count("/or/1")).toBe(count("/or/2"));
      expect(row.count).toBe(count("/or/2"));
    });
    await fc.assert(property, { seed: SEED, numRuns: RULES });
  });
});

function nodeAt(rule: object, path: string): Rule {
  const steps = path.split("/").slice(1);
  const found = steps.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined),
    rule,
  );
  if (typeof found !== "object" || found === null) throw new Error(`no rule at ${path}`);
  return found;
}

/** Rules whose count alone decides. */
function isCounted({ event, order, supplement, last, sum }: Rule): boolean {
  return (event ?? order ?? supplement) !== undefined && last !== true && sum === undefined;
}

function countPasses({ count = { op: "gte", value: 1 } }: Rule, counted: number): boolean {
  return compare(counted, count);
}

test("samples side by side add up to all, and have nobody in common", async () => {
  const [world] = fc.sample(randomWorld, { seed: SEED, numRuns: 1 });
  const [present] = questions;
  if (world === undefined || present === undefined) throw new Error("a sample of one has one");
  const account = await resolve(world);
  const shares = [
    { percent: 33.33, salt: "s" },
    { percent: 33.33, from: 33.33, salt: "s" },
    { percent: 33.34, from: 66.66, salt: "s" },
  ].map((sample) => ({ sample }));
  const members = [];
  for (const share of shares) members.push(...(await found(share, world, present, account)));
  expect(members.toSorted((a, b) => a - b)).toEqual(await found({ and: [] }, world, present, account));
});

describe("a merged contact", () => {
  const write = { contact: 1, at: NOW - 10 * DAY };
  const world: World = {
    contacts: [1, 2, 3].map((number) => ({
      number,
      cid: String(number).padStart(24, "0"),
      createdAt: NOW - 90 * DAY,
      modifiedAt: NOW,
      deleted: false,
    })),
    aliases: new Map([[2, 1]]),
    lists: [{ id: 1, name: "vip" }],
    fields: [{ ...write, contact: 2, field: "attributes.color", value: "red" }],
    memberships: [{ ...write, contact: 2, list: 1, present: true, joinedAt: write.at }],
    orders: [1, 2].map((contact) => ({
      contact,
      at: write.at,
      orderId: `o${contact}`,
      purchasedAt: write.at,
      status: "",
      currency: contact === 1 ? "USD" : "EUR",
      total: 100_000n,
      items: [],
      properties: {},
      deleted: false,
    })),
    activities: [1, 2, 2].map((contact, index) => ({
      contact,
      action: "browse",
      time: write.at + index,
      ingested: write.at,
      uid: `u${contact}`,
      mcId: "",
      properties: {},
    })),
  };
  const [present = { now: NOW, basis: "recorded", timezone: "UTC", currency: "USD" }] = questions;

  test("counts once, with what both brought, and never under its old number", async () => {
    const account = await resolve(world);
    const rules: readonly (readonly [object, number[]])[] = [
      [{ and: [] }, [1, 3]],
      [{ field: "attributes.color", op: "eq", value: "red" }, [1]],
      [{ list: "vip", op: "in" }, [1]],
      [{ event: "browse" }, [1]],
      [{ event: "browse", count: { op: "eq", value: 2 } }, [1]],
      [{ order: true, count: { op: "eq", value: 2 } }, [1]],
      [{ not: { event: "browse" } }, [3]],
    ];
    for (const [rule, members] of rules) expect(await found(rule, world, present, account)).toEqual(members);
  });

  test("keeps what it shows of its channels, and is named by both cIDs", async () => {
    const addressed = [...world.fields, { ...write, field: "identifiers.email", value: "one@example.com" }];
    const merged = { ...world, fields: addressed };
    const account = await resolve(merged);
    const [own, other, third] = world.contacts.map(({ cid }) => cid);
    const rules: readonly (readonly [object, number[]])[] = [
      [{ field: "channels.email.address", op: "exists" }, [1]],
      [{ field: "channels.email.subscribeStatus", op: "eq", value: "none" }, [1]],
      [{ field: "channels.email.subscribeStatus", op: "exists" }, [1]],
      [{ field: "cID", op: "eq", value: own }, [1]],
      [{ field: "cID", op: "eq", value: other }, [1]],
      [{ field: "cID", op: "in", value: [other, third] }, [1, 3]],
      [{ field: "cID", op: "neq", value: other }, [3]],
    ];
    for (const [rule, members] of rules) {
      expect([rule, await found(rule, merged, present, account)]).toEqual([rule, members]);
      expect([rule, expected(rule, merged, present)]).toEqual([rule, members]);
    }
  });

  test("passes by any of its latest activities, when several came at one millisecond", async () => {
    const [, one, other] = world.activities;
    if (one === undefined || other === undefined) throw new Error("the world has three activities");
    const activities = [
      { ...one, uid: "a", properties: { category: "red" } },
      { ...one, uid: "b", properties: { category: "blue" } },
      { ...other, time: one.time - 1, properties: { category: "green" } },
    ];
    const tied = { ...world, activities };
    const account = await resolve(tied);
    for (const [category, members] of [
      ["red", [1]],
      ["blue", [1]],
      ["green", []],
    ] as const) {
      const rule = { event: "browse", last: true, where: [{ field: "category", op: "eq", value: category }] };
      expect([rule, await found(rule, tied, present, account)]).toEqual([rule, members]);
      expect([rule, expected(rule, tied, present)]).toEqual([rule, members]);
    }
  });

  test("an explain counts each node and says how many orders a sum left out for their currency", async () => {
    const rule = {
      and: [
        { order: true, sum: { of: "totalAmount", op: "gte", value: 10 } },
        { list: 1, op: "in" },
      ],
    };
    const { row, compiled } = await ask(rule, world, { ...present, account: await resolve(world), explain: true });
    expect(compiled.nodes.map(({ path, column }) => [path, row[column]])).toEqual([
      ["", 1],
      ["/and/0", 1],
      ["/and/1", 1],
    ]);
    expect(compiled.notes.map(({ path, code, column }) => [path, code, row[column]])).toEqual([
      ["/and/0", "ORDERS_IN_OTHER_CURRENCIES", [["EUR"], [1]]],
    ]);
  });
});

test("who may be mailed has a valid address and, for promotions, a subscription", async () => {
  const at = NOW - DAY;
  const mailed = (contact: number, field: string, value: string | boolean) => ({ contact, field, value, at });
  const world: World = {
    contacts: [1, 2, 3, 4].map((number) => ({
      number,
      cid: String(number).padStart(24, "0"),
      createdAt: at,
      modifiedAt: at,
      deleted: number === 4,
    })),
    aliases: new Map(),
    lists: [],
    fields: [
      ...[1, 2, 4].map((contact) => mailed(contact, "channels.email.address", `${contact}@example.com`)),
      ...[1, 3, 4].map((contact) => mailed(contact, "channels.email.subscribeStatus", "subscribed")),
    ],
    memberships: [],
    orders: [],
    activities: [],
  };
  const account = await resolve(world);
  const count = async (classification: "promotional" | "transactional") => {
    const options = { now: NOW, basis: "recorded", timezone: "UTC", currency: "USD", account } as const;
    const { row } = await ask({ and: [] }, world, { ...options, eligibleFor: { channel: "email", classification } });
    return row.count;
  };
  expect(await count("transactional")).toBe(2);
  expect(await count("promotional")).toBe(1);
});
