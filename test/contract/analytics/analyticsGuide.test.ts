import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Account } from "@headwater/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cid, seedAnalytics } from "./analyticsWorld.ts";
import { answersOfFile } from "./demoFilters.ts";
import { loadDemo } from "./demoWorld.ts";
import { type ExportWorld, haveRead, loggedActivity, startExportWorld } from "./exports/exportWorld.ts";

const pageOf = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");
const guide = pageOf("analytics");
const audiences = pageOf("audiences");
const ROW = /^\| (?<question>[^|]+\?) +\| `(?<body>\{.*\})` +\| (?<answer>[\d,]+) +\|$/gm;
const questionsOf = (page: string) =>
  [...page.matchAll(ROW)].map(({ groups }) => ({
    question: groups?.question ?? "",
    body: groups?.body ?? "",
    answer: Number(groups?.answer?.replaceAll(",", "")),
  }));
const questions = questionsOf(guide);

let world: ExportWorld;
let shop: Account;
let key: string;
beforeAll(async () => {
  world = await startExportWorld();
  ({ account: shop } = await world.service.account({ currency: "GBP" }));
  key = await world.service.key(shop, { scopes: ["read", "write", "admin"] });
  await loadDemo(world.service, shop);
}, 120_000);
afterAll(() => world.drop());

describe("the page on audiences", () => {
  const asked = questionsOf(audiences);
  test("asks thirty-three questions", () => {
    expect(asked).toHaveLength(33);
  });

  test("says of carts, records and messages what a filter over the demo's file counts", () => {
    const isOfFile = /"(cart|supplement|message)":/;
    const answers = asked.filter(({ body }) => isOfFile.test(body)).map(({ question, answer }) => [question, answer]);
    expect(Object.fromEntries(answers)).toEqual(answersOfFile);
  });

  test.each(asked)("$question is answered as it says", async ({ body, answer }) => {
    const counted = await world.service.call(key, "/v2/audiencecount", { method: "POST", body: JSON.parse(body) });
    expect(counted).toMatchObject({ status: 200, body: { count: answer, exact: true } });
  });
});

describe("the guide for analysts", () => {
  test("asks ten questions", () => {
    expect(questions).toHaveLength(10);
  });

  test.each(questions)("$question is answered as it says", async ({ body, answer }) => {
    const counted = await world.service.call(key, "/v2/audiencecount", { method: "POST", body: JSON.parse(body) });
    expect(counted).toMatchObject({ status: 200, body: { count: answer, exact: true } });
  });

  test("has a feed whose increments DuckDB reads as one table, each activity once", async () => {
    await seedAnalytics(world.service, world.account, 0);
    const log = (...rows: object[]) => world.service.insert("activities", world.account, rows);
    await log(loggedActivity(1, { offset: 1 }), loggedActivity(3, { offset: 2 }));
    await haveRead(world, 3);
    const body = { timeframe: { start: "2020-01-01", end: "2100-01-01" }, exportType: "jsonl" };
    const first = await world.run("contactactivityexport", body);
    await log(loggedActivity(3, { offset: 3 }, { action: "purchase" }), loggedActivity(1, { offset: 1 }));
    await haveRead(world, 5);
    const since = first.metadata.watermark.token;
    const second = await world.run("contactactivityexport", { ...body, since });
    for (const [index, { metadata }] of [first, second].entries()) {
      const [file] = metadata.files;
      const bytes = (await world.service.call(undefined, file.url)).text;
      writeFileSync(join(world.folder, `events-${index}.jsonl`), bytes);
    }
    const [, sql = ""] = /```sql\n([^`]*)```/.exec(guide) ?? [];
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const rows = await connection.runAndReadAll(sql.replaceAll("/lake/", `${world.folder}/`));
    expect(rows.getRowObjectsJson()).toEqual([
      { action: "browse", activities: 2, contacts: 2 },
      { action: "purchase", activities: 1, contacts: 1 },
    ]);
    connection.closeSync();
    instance.closeSync();
    expect(second.metadata.files[0].rows).toBe(1);
    expect((await world.service.call(undefined, second.metadata.files[0].url)).text).toContain(cid(3));
  });
});
