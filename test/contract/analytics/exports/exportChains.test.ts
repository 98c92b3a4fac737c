import { createClickHouseBulk } from "@headwater/clickhouse/bulk";
import { createTcpProxy } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT } from "../../service/seed.ts";
import { logger } from "../../stores/fresh.ts";
import { seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, haveRead, loggedActivity, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
});
afterAll(() => world.drop());

const DAY_MS = 86_400_000;
/** Writes between two increments. */
const step = fc.record({
  /** New activities: whose, and how many days late. */
  fresh: fc.array(fc.record({ contact: fc.integer({ min: 1, max: 3 }), late: fc.nat({ max: 400 }) }), { maxLength: 4 }),
  /** Activities that come once more, counted from the latest. */
  repeated: fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
  /** ClickHouse folds repeats now. */
  isFolded: fc.boolean(),
  /** The third contact is merged into the first, or lives again. */
  merge: fc.constantFrom("merge", "split", undefined),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let offset = 0;
let firstNumber = 0;

type Rows = readonly { readonly id: string; readonly cID: string }[];

/** An account of its own, with what one run of the property does to it. */
async function newChain() {
  const { service } = world;
  const { account } = await service.account();
  firstNumber += 1_000;
  const n = firstNumber;
  await seedAnalytics(service, account, n);
  await service.clickHouse.command("DELETE FROM activities WHERE account = {account: UInt32}", {
    account: account.number,
  });
  const by = { key: await service.key(account, { scopes: ["read", "write", "admin"] }) };
  const logged: ReturnType<typeof loggedActivity>[] = [];
  let revision = 10;
  const log = async (rows: ReturnType<typeof loggedActivity>[]) => {
    if (rows.length > 0) await service.insert("activities", account, rows);
  };
  return {
    async take({ fresh, repeated, isFolded, merge }: Step): Promise<void> {
      const news = fresh.map(({ contact, late }) => {
        offset += 1;
        return loggedActivity(n + contact, { offset }, { time: storedTime(AT - late * DAY_MS) });
      });
      logged.push(...news);
      const again = repeated.flatMap((back) => {
        const former = logged.at(-1 - back);
        offset += 1;
        const position = { log_offset: offset, record: `r:${offset}:0`, ingested: storedTime(AT + offset) };
        return former === undefined ? [] : [{ ...former, ...position }];
      });
      await log(news);
      await log(again);
      if (merge !== undefined) {
        revision += 1;
        const survivor = merge === "merge" ? n + 1 : 0;
        await service.insert("contact_aliases", account, [{ contact: n + 3, survivor, revision }]);
        const state = { created_at: storedTime(AT), modified_at: storedTime(AT), version: String(revision), revision };
        const cid = (n + 3).toString(16).padStart(24, "0");
        const own = { contact: n + 3, cid, merged_into: survivor, deleted: merge === "merge" ? 1 : 0, ...state };
        await service.insert("contacts_current", account, [own]);
      }
      if (isFolded) await service.clickHouse.command("OPTIMIZE TABLE activities FINAL");
      await haveRead(world, offset + 1);
    },
    async export(body: object): Promise<{ readonly rows: Rows; readonly token: string }> {
      const request = { timeframe: { start: "2000-01-01", end: "2100-01-01" }, exportType: "jsonl", ...body };
      const done = await world.runAs(by, "contactactivityexport", request);
      const bytes = (await world.service.call(undefined, done.metadata.files[0].url)).text;
      const rows = bytes.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
      return { rows, token: done.metadata.watermark.token };
    },
    /** Ids of all activities, by their first copies. */
    ids: () => logged.map(({ record }) => record).sort(),
  };
}

const idsOf = (rows: Rows) => rows.map(({ id }) => id).sort();

describe("a chain of increments", () => {
  test("adds up to one whole export, each activity in exactly one, whatever comes again and whoever is merged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
        const chain = await newChain();
        const first = await chain.export({});
        const increments: { readonly rows: Rows; readonly since: string; readonly until: string }[] = [];
        let since = first.token;
        for (const one of steps) {
          await chain.take(one);
          const { rows, token: until } = await chain.export({ since });
          increments.push({ rows, since, until });
          since = until;
        }
        const whole = await chain.export({});
        const parts = increments.flatMap(({ rows }) => rows);
        expect(idsOf(parts)).toEqual(idsOf(whole.rows));
        expect(idsOf(whole.rows)).toEqual(chain.ids());
        for (const { rows, ...between } of increments)
          expect(idsOf((await chain.export(between)).rows)).toEqual(idsOf(rows));
      }),
      { numRuns: Number(process.env.HEADWATER_EXPORT_RUNS ?? 2) },
    );
  }, 240_000);
});

describe("a file whose rows come from ClickHouse", () => {
  test("is not taken for whole when the connection breaks off after some megabytes", async () => {
    const { hostname, port, href } = new URL(world.service.clickHouseUrl);
    const proxy = await createTcpProxy({ host: hostname, port: Number(port) });
    const bulk = createClickHouseBulk({ url: href.replace(`:${port}`, `:${proxy.port}`), logger });
    const read = async () => {
      let bytes = 0;
      const sql = "SELECT number, toString(number) FROM numbers(50000000) FORMAT CSV";
      for await (const chunk of bulk.read({ sql, signal: AbortSignal.timeout(60_000) })) {
        bytes += chunk.length;
        if (bytes > 4_000_000) proxy.cut();
      }
    };
    await expect(read()).rejects.toThrow();
    await bulk.close();
    await proxy.close();
  });
});
