import type { Account } from "@headwater/contracts";
import { createRedrive } from "@headwater/intake/deadLetters/redrives";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { insertJobRejections } from "@headwater/jobs/queue/jobRejections";
import { insertJob, readStoredJob } from "@headwater/jobs/queue/jobs";
import { newJobId } from "@headwater/kernel";
import { deleteOldJobs } from "@headwater/worker/housekeeping";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";
import { AT, seedContacts, seedLists, versionAt } from "../service/seed.ts";
import { workOff } from "./workOff.ts";

let service: Running;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, { scopes: ["jobs:read", "jobs:write", "accountlists:write", "accountlists:read"] });
});
afterAll(() => service.stop());

const work = (jobId: string) => workOff(service, jobId);

interface Created {
  readonly name?: string;
  readonly status?: string;
  readonly createdAt?: number;
  readonly startedAt?: number;
  readonly of?: Account;
}

async function createJob({
  name = "ClearList",
  status = "Pending",
  createdAt = AT,
  startedAt,
  of = account,
}: Created = {}) {
  const id = newJobId();
  const input = { list: 1, version: versionAt(AT) };
  const created = { id, account: of.number, name, input, totalItems: 7, metadata: { list: 1 }, madeBy: "k", createdAt };
  await insertJob(service.postgres, created);
  const endedAt = ["Done", "Failed", "Canceled"].includes(status) ? createdAt + 2_000 : null;
  await service.postgres.execute(
    { text: "UPDATE jobs SET status = $2, started_at = $3, ended_at = $4 WHERE id = $1" },
    [id, status, startedAt ?? (status === "Pending" ? null : createdAt + 1_000), endedAt],
  );
  return id;
}

async function startRedrive(createdAt: number, writtenAt: number | null, of = account) {
  const id = newJobId();
  const built = { id, account: of.number, selection: {}, patch: null, scopes: [], madeBy: "k", createdAt, selected: 3 };
  await createRedrive(service.postgres, built);
  await service.postgres.execute({ text: "UPDATE redrives SET started_at = $2, written_at = $3 WHERE id = $1" }, [
    id,
    createdAt,
    writtenAt,
  ]);
  return id;
}

const get = (path: string, by = key, headers = {}) => service.call(by, path, { headers });
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe("a job", () => {
  test("is shown with its counts, times and statistic, and says when to ask again", async () => {
    const [pending, done] = [await createJob(), await createJob({ status: "Done" })];
    const waiting = await get(`/v2/jobs/${pending}`);
    expect(waiting).toMatchObject({ status: 200, body: { status: "Pending", totalItems: 7, times: { start: null } } });
    expect(waiting.headers).toMatchObject({ "retry-after": "1" });
    const over = await get(`/v2/jobs/${done}?include=statistic`);
    expect(over.body).toMatchObject({
      status: "Done",
      times: { start: "2026-01-09T22:47:13.000Z", end: "2026-01-09T22:47:14.000Z" },
      statistic: { attempts: 0, waitedMs: 1_000, ranMs: 1_000 },
    });
    expect(over.headers).not.toHaveProperty("retry-after");
  });

  test("of another account is not there, nor is an unknown one", async () => {
    const { account: other } = await service.account();
    const id = await createJob({ of: other });
    for (const path of [`/v2/jobs/${id}`, `/v2/jobs/${newJobId()}`, `/v2/jobs/${id}/rejections`]) {
      expect(await get(path)).toMatchObject({ status: 404, body: { code: "RECORD_NOT_FOUND" } });
    }
    const cancelled = await service.call(key, `/v2/jobs/${id}/cancel`, { method: "PUT" });
    expect(cancelled).toMatchObject({ status: 404, body: { code: "RECORD_NOT_FOUND" } });
  });

  test("is kept 60 days from its end, and its refused rows 7", async () => {
    const [old, open] = [await createJob({ status: "Done", createdAt: 1_000 }), await createJob({ createdAt: 1_000 })];
    const rejection = { index: 0, code: "VALIDATION_ERROR", message: "no", path: null, record: {} };
    await insertJobRejections(service.postgres, { job: open, account: account.number, at: 1_000 }, [rejection]);
    await deleteOldJobs({ ...service, files: createFileStore({ folder: "/nonexistent" }) }, AT);
    expect(await get(`/v2/jobs/${old}`)).toMatchObject({ status: 404 });
    expect(await get(`/v2/jobs/${open}/rejections`)).toMatchObject({ status: 200, body: { data: [] } });
  });
});

describe("the list of jobs", () => {
  let mine: string;
  let listed: Account;
  let ids: readonly string[];
  beforeAll(async () => {
    ({ account: listed, key: mine } = await service.account());
    ids = [
      await createJob({ of: listed, createdAt: AT + 4_000, status: "Failed", name: "MergeContacts" }),
      await startRedrive(AT + 3_000, AT + 3_500, listed),
      await createJob({ of: listed, createdAt: AT + 2_000, status: "Done" }),
      await startRedrive(AT + 1_000, null, listed),
      await createJob({ of: listed, createdAt: AT }),
    ];
  });

  test("shows jobs and redrives, the latest first, page by page", async () => {
    const pages: string[] = [];
    let path = "/v2/jobs?per_page=2&return_count=true";
    for (let cursor: string | null = ""; cursor !== null; path = `/v2/jobs?per_page=2&cursor=${cursor}`) {
      const { body } = await get(path, mine);
      pages.push(...idsOf(body));
      cursor = body.pagination.next_cursor;
    }
    expect(pages).toEqual(ids);
    const counted = await get("/v2/jobs?per_page=2&page=2&return_count=true", mine);
    expect(counted.body.pagination).toMatchObject({ total: 5, last_page: 3, page: 2 });
    expect(idsOf(counted.body)).toEqual(ids.slice(2, 4));
    expect(idsOf((await get("/v2/jobs?sort_dir=asc", mine)).body)).toEqual([...ids].reverse());
  });

  test("is filtered by name, status and times", async () => {
    const [failed, redriven, done, running, pending] = ids;
    const found = async (query: string) => idsOf((await get(`/v2/jobs?${query}`, mine)).body);
    expect(await found("jobName=RedriveDeadLetters")).toEqual([redriven, running]);
    expect(await found("jobName=ClearList&status=Done")).toEqual([done]);
    expect(await found("jobName=DeleteContacts")).toEqual([]);
    const bogus = await get("/v2/jobs?jobName=Bogus", mine);
    expect(bogus).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", details: [{ path: "/jobName" }] } });
    expect(bogus.body.details[0].allowed).toEqual(expect.arrayContaining(["ClearList", "RedriveDeadLetters"]));
    expect(await found("status=Done")).toEqual([redriven, done]);
    expect(await found("status=Processing")).toEqual([running]);
    expect(await found("status=Pending")).toEqual([pending]);
    expect(await found("times[end][gte]=2026-01-09T22:47:18Z")).toEqual([failed]);
    expect(await found("times[start][lt]=2026-01-09T22:47:14Z")).toEqual([running]);
  });

  test("with statistics holds at most 25 a page", async () => {
    expect((await get("/v2/jobs?include=statistic", mine)).body.data[0]).toHaveProperty("statistic");
    const tooMany = await get("/v2/jobs?include=statistic&per_page=26", mine);
    expect(tooMany).toMatchObject({ status: 422, body: { code: "JOBS_STATISTIC_PER_PAGE_EXCEEDED" } });
  });

  test("needs its scope, and knows its parameters", async () => {
    const other = await service.key(listed, { scopes: ["orders:read"] });
    expect(await get("/v2/jobs", other)).toMatchObject({ status: 403, body: { code: "INSUFFICIENT_SCOPE" } });
    expect(await get("/v2/jobs", "hw_nobody")).toMatchObject({ status: 401 });
    expect(await get("/v2/jobs?status=over", mine)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    const { body } = await get("/v2/jobs?status=done", mine);
    expect(body.data).toEqual((await get("/v2/jobs?status=Done", mine)).body.data);
  });
});

describe("refused rows", () => {
  const rows = 1_203;
  let job: string;
  beforeAll(async () => {
    job = await createJob({ status: "Done" });
    const rejections = Array.from({ length: rows }, (_, index) => {
      return { index, code: "VALIDATION_ERROR", message: `row ${index}, "no"`, path: "/email", record: { row: index } };
    });
    await insertJobRejections(service.postgres, { job, account: account.number, at: AT }, rejections);
  });

  test("are a list of pages", async () => {
    const first = await get(`/v2/jobs/${job}/rejections?per_page=500&return_count=true`);
    expect(first.body.data[2]).toEqual({
      index: 2,
      code: "VALIDATION_ERROR",
      message: 'row 2, "no"',
      path: "/email",
      record: { row: 2 },
    });
    expect(first.body.pagination).toMatchObject({ total: rows, last_page: 3 });
    const next = await get(`/v2/jobs/${job}/rejections?per_page=500&cursor=${first.body.pagination.next_cursor}`);
    expect(next.body.data[0].index).toBe(500);
    const last = await get(`/v2/jobs/${job}/rejections?per_page=2&sort_dir=desc`);
    const before = await get(
      `/v2/jobs/${job}/rejections?per_page=1&sort_dir=desc&cursor=${last.body.pagination.next_cursor}`,
    );
    expect([...last.body.data, ...before.body.data].map(({ index }) => index)).toEqual([rows - 1, rows - 2, rows - 3]);
  });

  test("are all in one file, as lines of JSON or as CSV", async () => {
    const lines = await get(`/v2/jobs/${job}/rejections`, key, { accept: "application/x-ndjson" });
    expect(lines.headers).toMatchObject({ "content-type": "application/x-ndjson; charset=utf-8" });
    const records = lines.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ index }) => index)).toEqual(Array.from({ length: rows }, (_, index) => index));
    const csv = await get(`/v2/jobs/${job}/rejections`, key, { accept: "text/csv" });
    const cells = csv.text.trimEnd().split("\r\n");
    expect(cells[0]).toBe("index,line,code,message,path,record");
    expect(cells[3]).toBe(`"2","","VALIDATION_ERROR","row 2, ""no""","/email","{""row"":2}"`);
    expect(cells.length).toBe(rows + 1);
  });
});

describe("a cancel", () => {
  const cancel = (id: string, by = key) => service.call(by, `/v2/jobs/${id}/cancel`, { method: "PUT" });

  test("ends a job that waits or is worked on, and is no error a second time", async () => {
    for (const status of ["Pending", "Processing"]) {
      const id = await createJob({ status });
      const answer = { status: 200, body: { success: true, id, status: "Canceled" } };
      expect(await cancel(id)).toMatchObject(answer);
      expect(await cancel(id)).toMatchObject(answer);
      expect((await get(`/v2/jobs/${id}`)).body).toMatchObject({ status: "Canceled" });
      expect((await get(`/v2/jobs/${id}`)).body.times.end).not.toBeNull();
      await work(id);
      expect(await readStoredJob(service.postgres, account.number, id)).toMatchObject({
        status: "Canceled",
        attempt: 0,
      });
    }
  });

  test("of a redrive that is not done ends it, and lists show it so", async () => {
    const id = await startRedrive(AT, null);
    expect(await cancel(id)).toMatchObject({ status: 200, body: { id, status: "Canceled" } });
    expect((await cancel(id)).status).toBe(200);
    const { body } = await get(`/v2/jobs/${id}`);
    expect(body).toMatchObject({ status: "Canceled", times: { end: expect.any(String) } });
    const { body: listed } = await get("/v2/jobs?status=Canceled&jobName=RedriveDeadLetters");
    expect(listed.data.map((job: { id: string }) => job.id)).toEqual([id]);
  });

  test("of a job or redrive that is over is refused with the state it is in", async () => {
    for (const status of ["Done", "Failed"]) {
      const refused = await cancel(await createJob({ status }));
      expect(refused).toMatchObject({
        status: 409,
        body: { code: "INVALID_STATE_TRANSITION", from: status, allowed: [] },
      });
    }
    expect(await cancel(await startRedrive(AT, AT + 1))).toMatchObject({ status: 409, body: { from: "Done" } });
  });

  test("needs the scope to write", async () => {
    const reader = await service.key(account, { scopes: ["jobs:read"] });
    expect(await cancel(await createJob(), reader)).toMatchObject({
      status: 403,
      body: { code: "INSUFFICIENT_SCOPE" },
    });
  });
});

describe("clearing a list", () => {
  let list: number;
  beforeAll(async () => {
    const numbers = [11, 12, 13];
    await seedContacts(
      service.postgres,
      account,
      numbers.map((number) => ({ number, cid: String(number).padStart(24, "0") })),
    );
    list = (await seedLists(service.postgres, account, { vip: numbers, other: [11] })).get("vip") ?? 0;
  });
  const clear = (id: number | string, headers = {}) =>
    service.call(key, `/v2/accountlists/${id}/clear`, { method: "PUT", headers });
  const stored = async () => {
    const text = "SELECT contact FROM memberships WHERE account = $1 ORDER BY list, contact";
    return (await service.postgres.query<{ contact: number }>({ text }, [account.number])).map(
      ({ contact }) => contact,
    );
  };

  test("empties it at once, and its job removes the rows of those who were on it", async () => {
    const headers = { "idempotency-key": "clear-1" };
    const cleared = await clear(list, headers);
    expect(cleared).toMatchObject({ status: 200, body: { success: true, id: list } });
    expect((await get(`/v2/accountlists/${list}/count`)).body).toEqual({ count: 0 });
    expect((await stored()).length).toBe(4);
    const again = await clear(list, headers);
    expect(again).toMatchObject({ body: cleared.body, headers: { "idempotency-replayed": "true" } });
    await work(cleared.body.jobId);
    expect(await stored()).toEqual([11]);
    expect((await get(`/v2/jobs/${cleared.body.jobId}`)).body).toMatchObject({
      jobName: "ClearList",
      status: "Done",
      totalItems: 3,
      completedItems: 3,
      result: { updated: 3 },
      metadata: { list },
    });
  });

  test("of a list that there is not is refused, and starts no job", async () => {
    for (const id of [99, "vip", "0"]) {
      expect(await clear(id)).toMatchObject({ status: 404, body: { code: "ACCOUNT_LISTS_NOT_FOUND" } });
    }
    const { account: other, key: theirs } = await service.account();
    await seedLists(service.postgres, other, { mine: [] });
    expect((await get("/v2/jobs", theirs)).body.data).toEqual([]);
  });
});
