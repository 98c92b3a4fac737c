import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { type Account, timeOfVersion, versionOf } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createJobQueue } from "@headwater/jobs/queue/jobQueue";
import { endJob, lockJob, readStoredJob } from "@headwater/jobs/queue/jobs";
import type { JobKind } from "@headwater/jobs/runner/jobKind";
import { runJob } from "@headwater/jobs/runner/runJob";
import { createOutbound, systemClock } from "@headwater/kernel";
import { readSupplementClearsBelow } from "@headwater/records/supplements/supplementTables";
import { createJobKinds } from "@headwater/worker/jobs/index";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectChanges } from "../intake/projector/projectChanges.ts";
import { sources, storages } from "../jobs/sandboxes.ts";
import { nowMs, type Running, startService } from "../service/running.ts";
import { logger } from "../stores/fresh.ts";
import { storeRecords } from "../stores/supplements/batch.ts";

let service: Running;
let account: Account;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, { scopes: ["supplements:read", "supplements:write"] });
});
afterAll(() => service.stop());

const call = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown, headers = {}) =>
  service.call(key, `/v2/supplements${path}`, { method, headers, ...(body !== undefined && { body }) });
const get = async (path: string) => (await call("GET", path)).body;
const ids = async (path: string) => (await get(path)).data.map(({ id }: { id: string }) => id);
const make = (name: string) => call("POST", "", { key: name, indexes: [{ field: "n", type: "number" }] });
const jobKinds = createJobKinds().kinds;
const never = new AbortController().signal;

let offset = 0;
const FRAME_RECORDS = 500;

async function intake(supplement: string, records: readonly { id: string }[], timeMs = nowMs()): Promise<void> {
  for (let at = 0; at < records.length; at += FRAME_RECORDS) {
    const frame = records.slice(at, at + FRAME_RECORDS);
    await storeRecords(service.postgres, account, { supplement, records: frame, timeMs, offset: ++offset });
  }
}
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `r${String(n).padStart(5, "0")}`, n }));

function work(jobId: string, kinds: ReadonlyMap<string, JobKind> = jobKinds): Promise<void> {
  const { postgres, clickHouse: clickhouse, bulk } = service;
  return runJob(
    {
      postgres,
      clickhouse,
      bulk,
      kinds,
      logger,
      sinkSettleMs: 0,
      highWatermarks: async () => [],
      producer: { append: () => Promise.reject(new Error("this test has no log")) },
      clock: systemClock,
      queue: createJobQueue(),
      files: createFileStore({ folder: "/nonexistent" }),
      sources,
      storages,
      outbound: createOutbound({ allow: [] }),
      sealer: undefined,
      account: (number) => findAccountByNumber(postgres, number),
      onEnd: () => undefined,
    },
    jobId,
    never,
  );
}

const job = async (id: string) => readStoredJob(service.postgres, account.number, id);

async function count(table: string, name: string): Promise<number> {
  const [row] = await service.postgres.query<{ count: number }>(
    {
      text: `SELECT count(*) AS count FROM ${table} e WHERE (e.account, e.supplement) IN (SELECT account, id FROM supplements WHERE key = $1)`,
    },
    [name],
  );
  return row?.count ?? 0;
}

describe("a clear", () => {
  test("empties the table at once; what is older stays away and what is later stays, before and after the job", async () => {
    await make("c");
    await intake("c", many(4_500));
    const before = nowMs();
    const cleared = await call("PUT", "/c/clear");
    expect(cleared).toMatchObject({ status: 200, body: { success: true, key: "c", jobId: expect.any(String) } });
    const empty = { data: [], pagination: { total: 0 } };
    for (const query of ["", "n[gte]=0", "sort_by=n"].map((one) => one.replace("[", "%5B").replace("]", "%5D"))) {
      expect(await get(`/c/records?return_count=true&${query}`)).toMatchObject(empty);
    }
    expect((await call("GET", "/c/records/r00001")).status).toBe(404);
    await intake("c", [{ id: "r00001" }, { id: "late" }], before - 1_000);
    expect(await ids("/c/records")).toEqual([]);
    await intake("c", [{ id: "r00002" }], nowMs() + 1_000);
    await call("POST", "/c/records", { id: "r00003", n: 5 });
    expect(await get("/c/records/r00002?fields=id,n")).toEqual({ id: "r00002" });
    await work(cleared.body.jobId);
    expect(await job(cleared.body.jobId)).toMatchObject({
      name: "ClearSupplement",
      status: "Done",
      completedItems: 4_500,
      totalItems: 4_500,
    });
    expect(await ids("/c/records")).toEqual(["r00002", "r00003"]);
    expect(await ids("/c/records?n=5")).toEqual(["r00003"]);
    expect(await count("supplement_records", "c")).toBe(2);
  });

  test("is one under its Idempotency-Key, and a table that nobody has is unknown", async () => {
    await make("once");
    const headers = { "idempotency-key": "clear-1" };
    const [first, second] = [
      await call("PUT", "/once/clear", undefined, headers),
      await call("PUT", "/once/clear", undefined, headers),
    ];
    expect(second.body).toEqual(first.body);
    expect((await call("PUT", "/nobody/clear")).status).toBe(404);
  });

  test("a clear that is canceled, or whose worker was killed in the middle, leaves the table empty, and the next worker goes on", async () => {
    await make("broken");
    await intake("broken", many(4_500));
    const { jobId } = (await call("PUT", "/broken/clear")).body;
    const kind = jobKinds.get("ClearSupplement");
    if (kind === undefined) throw new Error("the kind is registered");
    let steps = 0;
    const killed = {
      ...kind,
      prepare: async (...input: Parameters<JobKind["prepare"]>) => {
        const step = await kind.prepare(...input);
        return async (...inner: Parameters<typeof step>) => {
          const end = await step(...inner);
          steps += 1;
          if (steps >= 2) throw new Error("killed before COMMIT");
          return end;
        };
      },
    };
    await work(jobId, new Map([["ClearSupplement", killed]]));
    expect(await count("supplement_records", "broken")).toBe(2_500);
    expect(await ids("/broken/records")).toEqual([]);
    await service.postgres.execute({ text: "UPDATE jobs SET status = 'Pending', ended_at = NULL WHERE id = $1" }, [
      jobId,
    ]);
    await service.postgres.transaction(async (transaction) => {
      const now = await lockJob(transaction, jobId);
      if (now !== undefined) await endJob(transaction, now, { status: "Canceled", at: nowMs() });
    });
    await work(jobId);
    expect([await count("supplement_records", "broken"), (await job(jobId))?.status]).toEqual([2_500, "Canceled"]);
    await service.postgres.execute({ text: "UPDATE jobs SET status = 'Pending', ended_at = NULL WHERE id = $1" }, [
      jobId,
    ]);
    await work(jobId);
    expect([await count("supplement_records", "broken"), (await job(jobId))?.status]).toEqual([0, "Done"]);
  });
});

describe("a deleted table", () => {
  test("is gone with its records, and its key is free for another one that has none of them", async () => {
    await make("d");
    await intake("d", many(3));
    expect((await call("DELETE", "/d")).body).toEqual({ success: true });
    for (const [method, path] of [
      ["GET", "/d"],
      ["GET", "/d/records"],
      ["PUT", "/d/clear"],
      ["DELETE", "/d"],
    ] as const) {
      expect((await call(method, path)).status).toBe(404);
    }
    await intake("d", [{ id: "after" }]);
    expect((await make("d")).status).toBe(201);
    expect(await ids("/d/records")).toEqual([]);
    await intake("d", [{ id: "new" }]);
    const jobs = await service.postgres.query<{ id: string }>({
      text: "SELECT id FROM jobs WHERE name = 'ClearSupplement' AND status = 'Pending'",
    });
    for (const { id } of jobs) await work(id);
    expect(await ids("/d/records")).toEqual(["new"]);
    expect(await count("supplement_records", "d")).toBe(1);
  });

  test("is never one that every account has", async () => {
    const { status, body } = await call("DELETE", "/subscriptions");
    expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"]);
  });
});

describe("ClickHouse", () => {
  const project = () => projectChanges(service, "changes.supplements");
  const present = async () =>
    (
      await service.clickHouse.query<{ id: string }>(
        `SELECT id FROM supplement_records_current FINAL WHERE account = ${account.number} AND deleted = 0 AND supplement = ${await tableNumber()}
          AND version > '${await clearedBelow(nowMs() + 60_000)}' ORDER BY id`,
      )
    ).map(({ id }) => id);
  const asOf = async (at: number) =>
    (
      await service.clickHouse.query<{ id: string }>(
        `SELECT id FROM (SELECT id, deleted, version FROM supplement_records_history WHERE account = ${account.number} AND supplement = ${await tableNumber()}
        AND at <= fromUnixTimestamp64Milli(${at}) ORDER BY version DESC, revision DESC LIMIT 1 BY id)
        WHERE deleted = 0 AND version > '${await clearedBelow(at)}' ORDER BY id`,
      )
    ).map(({ id }) => id);
  /** The last clear of the table up to an instant: what stands below it is gone for whoever reads. */
  async function clearedBelow(at: number): Promise<string> {
    const below = versionOf(at + 1, { lane: 0, partition: 0, offset: 0, place: 0 });
    const clears = await readSupplementClearsBelow(service.postgres, account.number, below);
    const number = await tableNumber();
    return clears.find(({ supplement }) => supplement === number)?.version ?? "";
  }
  async function tableNumber(): Promise<number> {
    const [row] = await service.postgres.query<{ id: number }>(
      { text: "SELECT id FROM supplements WHERE account = $1 AND key = 'ch'" },
      [account.number],
    );
    return row?.id ?? 0;
  }

  test("has the records until the clear and not since, and a deleted one until it was deleted", async () => {
    await make("ch");
    await intake("ch", many(3), nowMs() - 10_000);
    const before = nowMs() - 1;
    await call("DELETE", "/ch/records/r00000");
    const { jobId } = (await call("PUT", "/ch/clear")).body;
    await work(jobId);
    await call("POST", "/ch/records", { id: "r00001" });
    await project();
    expect(await present()).toEqual(["r00001"]);
    const at = timeOfVersion(await clearedBelow(nowMs() + 60_000));
    expect(await asOf(at - 1)).toEqual(["r00001", "r00002"]);
    expect(await asOf(at)).toEqual([]);
    expect(await asOf(before)).toEqual(["r00000", "r00001", "r00002"]);
    expect(await asOf(nowMs() + 60_000)).toEqual(["r00001"]);
  });
});
