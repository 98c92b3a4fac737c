import { isFinalJob } from "@headwater/contracts";
import { expect, vi } from "vitest";
import { test } from "../sharedStack.ts";
import type { Caller } from "../stack.ts";
import { readDataSet } from "./dataSets.ts";

const { env } = process;
const isLong = env.REAL_DATA === "long";
const JOB_MS = isLong ? 600_000 : 60_000;
const TEST_MS = 3 * JOB_MS;
const COUNTED_MS = 20_000;

type Body = ReturnType<typeof JSON.parse>;

async function imported(caller: Caller, path: string, file: string, more: object): Promise<Body> {
  const authorization = `Basic ${Buffer.from(`${caller.key}:`).toString("base64")}`;
  const upload = await fetch(`${caller.connection.serviceUrl}/v2/uploads`, {
    method: "POST",
    headers: { authorization },
    body: file,
  });
  const { url } = Object(await upload.json());
  return ended(caller, path, { source: { transport: "file", path: url }, ...more });
}

/** Starts a job and waits for its end. */
async function ended(caller: Caller, path: string, body: object): Promise<Body> {
  const started = await caller.post(`/v2/${path}`, body);
  if (started.status !== 202) throw new Error(JSON.stringify(started.body));
  const job = async () => (await caller.get(`/v2/jobs/${started.body.jobId}`)).body;
  const check = async () => expect(isFinalJob((await job()).status)).toBe(true);
  await vi.waitFor(check, { timeout: JOB_MS, interval: 200 });
  return job();
}

/** Counts each criteria, and compares it with what a plain calculation over the rows of the file expects. */
async function expectCounts(caller: Caller, receipt: string, cases: readonly (readonly [object, number])[]) {
  const compare = async () => {
    const counted = [];
    for (const [criteria] of cases) counted.push([criteria, await caller.count(criteria, receipt)]);
    expect(counted).toEqual(cases);
  };
  // Contacts, orders and activities come to ClickHouse on topics of their own.
  await vi.waitFor(compare, { timeout: COUNTED_MS, interval: 500 });
}

/** A write whose receipt comes after everything that was imported before. */
async function writeLast(caller: Caller): Promise<string> {
  return caller.send("upsertContact", {
    identifiers: { email: "last@example.com" },
    attributes: { a: 1 },
    canBeCreated: true,
  });
}

/** Cells of a CSV file with quotes, read in the plainest way. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    .slice(0, 12);
}

test("athletes from a csv file are counted and exported as a plain calculation over it says", {
  timeout: TEST_MS,
}, async ({ stack }) => {
  const file = await readDataSet("olympians");
  const [head = "", ...lines] = file.trimEnd().split("\n");
  const names = head.split(",");
  const rows = lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index] ?? "", cell])));
  const caller = await stack.caller("olympians");
  const types = { height: "number", weight: "number", gold: "number", silver: "number", bronze: "number" };
  for (const [key, type] of Object.entries({ ...types, date_of_birth: "date" }))
    expect((await caller.write("/v2/accountcontactattributes", { key, name: key, type })).status).toBe(201);
  const job = await imported(caller, "contactimports", file, { hasHeader: true, mapping: { id: "customer_id" } });
  expect(job).toMatchObject({ status: "Done", result: { totalRecords: rows.length, inserted: rows.length } });
  const attribute = (key: string, op: string, value?: unknown, more: object = {}) => {
    return { field: `attributes.${key}`, op, ...(value !== undefined && { value }), ...more };
  };
  const countOf = (keep: (row: Record<string, string>) => boolean) => rows.filter(keep).length;
  const receipt = await writeLast(caller);
  /** The contact of the last write. */
  const one = 1;
  await expectCounts(caller, receipt, [
    [{ and: [] }, rows.length + one],
    [attribute("sport", "eq", "athletics"), countOf(({ sport }) => sport === "athletics")],
    [attribute("height", "gt", 1.9), countOf(({ height }) => Number(height) > 1.9)],
    [attribute("height", "notExists"), countOf(({ height }) => height === "") + one],
    [attribute("weight", "between", [60, 80]), countOf(({ weight }) => Number(weight) >= 60 && Number(weight) <= 80)],
    [attribute("nationality", "neq", "USA"), countOf(({ nationality }) => nationality !== "USA") + one],
    [
      attribute("nationality", "in", ["GER", "FRA"]),
      countOf(({ nationality }) => /^(GER|FRA)$/.test(nationality ?? "")),
    ],
    [attribute("name", "contains", "son", { ci: true }), countOf(({ name }) => /son/i.test(name ?? ""))],
    [attribute("info", "contains", ", "), countOf(({ info }) => info?.includes(", ") === true)],
    [
      attribute("date_of_birth", "before", "1985-01-01"),
      countOf(({ date_of_birth: born = "" }) => born !== "" && born < "1985-01-01"),
    ],
    [
      { and: [attribute("gold", "gte", 1), { not: attribute("sex", "eq", "male") }] },
      countOf(({ gold, sex }) => Number(gold) >= 1 && sex !== "male"),
    ],
    [
      { or: [attribute("silver", "gt", 0), attribute("bronze", "gt", 0)], exclude: attribute("gold", "gt", 0) },
      countOf(({ gold, silver, bronze }) => Number(gold) === 0 && (Number(silver) > 0 || Number(bronze) > 0)),
    ],
  ]);
  const fields = ["identifiers.customer_id", ...names.slice(1).map((name) => `attributes.${name}`)];
  const criteria = attribute("sport", "exists");
  const { metadata } = await ended(caller, "contactexports", { fields, exportType: "jsonl", criteria });
  const text = await (await fetch(`${caller.connection.serviceUrl}${metadata.files[0].url}`)).text();
  const exported = text
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  const cell = (value: unknown) => (value === null || value === undefined ? "" : String(value));
  const exportedCells = exported.map((row) => names.map((_, position) => cell(row[fields[position] ?? ""])));
  const byId = ([a = ""]: readonly string[], [b = ""]: readonly string[]) => (a < b ? -1 : 1);
  const input = rows.map((row) => names.map((name) => cell(row[name])));
  expect(exportedCells.toSorted(byId)).toEqual(input.toSorted(byId));
});

test("purchases of a music shop, in columns kept apart by blanks, are orders whose counts and sums are those of the file", {
  timeout: TEST_MS,
}, async ({ stack }) => {
  const file = await readDataSet("purchases");
  const [, ...lines] = file.trimEnd().split("\r\n");
  const rows = lines.map((line) => {
    const [customer = "", date = "", pieces = "", dollars = ""] = line.trim().split(/ +/);
    return {
      customer,
      day: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
      pieces: Number(pieces),
      dollars,
    };
  });
  const customers = Map.groupBy(rows, ({ customer }) => customer);
  const caller = await stack.caller("purchases");
  for (const [key, type] of [
    ["date", "date"],
    ["dollar_value", "number"],
  ] as const)
    expect((await caller.write("/v2/accountcontactattributes", { key, name: key, type })).status).toBe(201);
  const contacts = await imported(caller, "contactimports", file, {
    ...{ hasHeader: true, delimiter: "blanks", dateFormat: "yyyymmdd" },
  });
  expect(contacts).toMatchObject({ status: "Done", result: { totalRecords: rows.length, rejected: 0, error: 0 } });
  const orders = rows.map(({ customer, day, pieces, dollars }, place) => {
    const items = pieces === 0 ? [] : [{ productID: "cd", sku: "cd", name: "CD", itemPrice: 0, qty: pieces }];
    const order = { orderID: `o${place}`, purchaseDate: day, totalAmount: dollars, items };
    return `${JSON.stringify({ ...order, identifiers: { customer_id: customer } })}\n`;
  });
  const done = await imported(caller, "ordersimport", orders.join(""), {});
  expect([done.result, (await caller.get(`/v2/jobs/${done.id}/rejections`)).body.data?.slice(0, 3)]).toMatchObject([
    { totalRecords: rows.length, inserted: rows.length },
    [],
  ]);
  const receipt = await writeLast(caller);
  type Bought = readonly (typeof rows)[number][];
  const countOf = (keep: (bought: Bought) => boolean) => [...customers.values()].filter(keep).length;
  const cents = (bought: Bought) => bought.reduce((sum, { dollars }) => sum + Math.round(Number(dollars) * 100), 0);
  await expectCounts(caller, receipt, [
    [{ order: true }, customers.size],
    [{ order: true, count: { op: "gte", value: 2 } }, countOf((bought) => bought.length >= 2)],
    [{ order: true, count: { op: "eq", value: 1 } }, countOf((bought) => bought.length === 1)],
    [{ order: true, sum: { of: "totalAmount", op: "gt", value: 100 } }, countOf((bought) => cents(bought) > 10_000)],
    [
      { order: true, within: { from: "1998-01-01", to: "1998-04-01" } },
      countOf((bought) => bought.some(({ day }) => day >= "1998-01-01" && day < "1998-04-01")),
    ],
    [
      { order: true, where: [{ field: "totalAmount", op: "lt", value: 10 }] },
      countOf((bought) => bought.some(({ dollars }) => Number(dollars) < 10)),
    ],
    [
      { field: "attributes.date", op: "on", value: "1997-01-01" },
      countOf((bought) => bought.at(-1)?.day === "1997-01-01"),
    ],
    [
      { field: "attributes.dollar_value", op: "gt", value: 50 },
      countOf((bought) => Number(bought.at(-1)?.dollars) > 50),
    ],
  ]);
});

test("flights of airports are activities whose counts are those of the file", { timeout: TEST_MS }, async ({
  stack,
}) => {
  const rows: { date: string; delay: number; distance: number; origin: string; destination: string }[] = JSON.parse(
    await readDataSet("flights"),
  );
  const caller = await stack.caller("flights");
  // Equal rows are one activity.
  const unique = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  const airports = Map.groupBy(unique, ({ origin }) => origin);
  const lines = rows.map(({ date, delay, distance, origin, destination }) =>
    ["flight", date, delay, distance, origin, destination].join(),
  );
  const file = ["event,date,delay,distance,origin,destination", ...lines].join("\n");
  const options = { mapping: { origin: "customer_id" }, dateFormat: "yyyy/mm/dd hh:mm", canBeCreated: true };
  const job = await imported(caller, "activityimports", file, { hasHeader: true, ...options });
  expect(job).toMatchObject({ status: "Done", result: { totalRecords: rows.length, rejected: 0, error: 0 } });
  const receipt = await writeLast(caller);
  const flight = (more: object = {}) => ({ event: "flight", ...more });
  type Flights = typeof rows;
  const countOf = (keep: (flights: Flights) => boolean) => [...airports.values()].filter(keep).length;
  await expectCounts(caller, receipt, [
    [flight(), airports.size],
    [flight({ count: { op: "gte", value: 5 } }), countOf((flights) => flights.length >= 5)],
    [
      flight({ where: [{ field: "delay", op: "gt", value: 60 }] }),
      countOf((flights) => flights.some(({ delay }) => delay > 60)),
    ],
    [
      flight({ where: [{ field: "destination", op: "eq", value: "LAX" }], count: { op: "eq", value: 0 } }),
      countOf((flights) => flights.every(({ destination }) => destination !== "LAX")) + 1,
    ],
    [
      flight({
        where: [
          { field: "distance", op: "between", value: [500, 1_000] },
          { field: "delay", op: "lte", value: 0 },
        ],
      }),
      countOf((flights) => flights.some(({ distance, delay }) => distance >= 500 && distance <= 1_000 && delay <= 0)),
    ],
    [
      flight({ within: { from: "2001-02-01", to: "2001-03-01" } }),
      countOf((flights) => flights.some(({ date }) => date.startsWith("2001/02"))),
    ],
  ]);
});
