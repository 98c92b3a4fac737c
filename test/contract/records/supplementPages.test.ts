import type { Account } from "@headwater/contracts";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { stepSupplementIndexes } from "@headwater/records/writes/supplementIndexes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";

let service: Running;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account({ timezone: "Europe/Berlin" }));
  key = await service.key(account, { scopes: ["supplements:read", "supplements:write"] });
});
afterAll(() => service.stop());

const call = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown, headers = {}) =>
  service.call(key, `/v2/supplements${path}`, { method, headers, ...(body !== undefined && { body }) });
const statusAndCode = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.code];
const post = (path: string, body: unknown, headers?: object) => call("POST", path, body, headers);
const table = (name: string, more: object = {}) => post("", { key: name, indexes: [], ...more });
const get = async (path: string) => (await call("GET", path)).body;

describe("pages of records", () => {
  const indexes = [
    { field: "s", type: "string" },
    { field: "n", type: "number" },
    { field: "d", type: "date" },
    { field: "t", type: "array" },
    { field: "home", type: "geo" },
  ];
  const rows = [
    { id: "a", s: "B", n: 10, d: "2026-01-09", t: ["x", 5], home: { city: "Rome", loc: { lat: 41.9, lon: 12.5 } } },
    {
      id: "b",
      s: "a",
      n: "9.5",
      d: "2026-01-08T23:30:00Z",
      t: ["y"],
      home: { city: "Oslo", loc: { lat: 59.9, lon: 10.7 } },
    },
    { id: "c", s: "ä", n: -2, d: "2026-01-10", t: ["x"] },
    { id: "d", n: 1e3, t: [] },
  ];
  beforeAll(async () => {
    await table("p", { indexes });
    for (const row of rows) await post("/p/records", row);
  });

  test.each([
    ["s=B", "a"],
    ["s[gt]=B", "b c"],
    ["n=10.0", "a"],
    ["n[gte]=9.5", "b a d"],
    ["n[lt]=0", "c"],
    ["n[gt]=-2&n[lte]=10", "b a"],
    ["d[gte]=2026-01-09", "a b c"],
    ["d=2026-01-09", "a b"],
    ["d[lt]=2026-01-09T00:00:00Z", "a b"],
    ["t=x", "a c"],
    ["t=5", "a"],
    ["t=x&t[eq]=5", "a"],
    ["home.city=Rome", "a"],
    ["home.loc.lat[gt]=50", "b"],
    ["t=x&n[lt]=5", "c"],
    ["n[gt]=0&sort_by=id", "a b d"],
    ["n[gt]=0&sort_by=s&sort_dir=desc", "d b a"],
    ["sort_by=n", "c b a d"],
    ["sort_by=s", "a b c d"],
    ["s=B&s[gt]=C", ""],
  ])("filtered and sorted by %s", async (query, expected) => {
    const wanted = expected.split(" ").filter(Boolean);
    const path = `/p/records?${query.replaceAll("[", "%5B").replaceAll("]", "%5D")}`;
    const found = await get(`${path}&return_count=true`);
    const got = found.data.map(({ id }: { id: string }) => id);
    expect([got, found.pagination.total]).toEqual([wanted, wanted.length]);
    const walked: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await get(`${path}&per_page=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      walked.push(...page.data.map(({ id }: { id: string }) => id));
      cursor = page.pagination.next_cursor;
    }
    expect(walked).toEqual(wanted);
  });

  test("by what is not indexed, or cannot be compared so, are refused, and the answer names what can", async () => {
    const unknown = await call("GET", "/p/records?colour=red");
    expect(statusAndCode(unknown)).toEqual([400, "BAD_REQUEST"]);
    expect(unknown.body.details[0]).toMatchObject({
      path: "/colour",
      allowed: expect.arrayContaining(["s", "n", "d", "t"]),
    });
    for (const query of [
      "n=many",
      "d=now",
      "t[gt]=x",
      "home=Rome",
      "home.street=x",
      "sort_by=t",
      "sort_by=colour",
      "cursor=x",
    ]) {
      expect([query, (await call("GET", `/p/records?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await call("GET", "/p/records?per_page=501")).status).toBe(422);
  });

  test("are stable while records are written before and after the cursor", async () => {
    await table("stable", { indexes: [{ field: "n", type: "number" }] });
    for (let n = 0; n < 6; n++) await post("/stable/records", { id: `r${n}`, n: n * 10 });
    const first = await get("/stable/records?sort_by=n&per_page=3");
    await call("DELETE", "/stable/records/r1");
    await call("PUT", "/stable/records/r0", { n: 45 });
    await post("/stable/records", { id: "new", n: 5 });
    const second = await get(`/stable/records?sort_by=n&per_page=9&cursor=${first.pagination.next_cursor}`);
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(["r3", "r4", "r0", "r5"]);
  });
});

describe("an index on a table with records", () => {
  test("is built step by step while records are written, and answers 409 until it is ready", async () => {
    await createSupplement(service.postgres, {
      account: account.number,
      key: "big",
      indexes: [],
      contactObject: false,
      autogenerateIDs: false,
      createdAt: 1,
    });
    await service.postgres.execute({
      text: `INSERT INTO supplement_records (account, supplement, id, created_at, modified_at, version, doc, revision)
        SELECT s.account, s.id, 'r' || lpad(n::text, 5, '0'), 1, 1, lpad('1', 32, '0')::uuid,
          json_build_object('v', json_build_array(lpad('1', 32, '0')), 'members', json_build_array(json_build_array('n', n % 10, 0)))::text, 1
        FROM supplements s, generate_series(1, 2500) AS n WHERE s.account = ${account.number} AND s.key = 'big'`,
    });
    await call("PUT", "/big", { indexes: [{ field: "n", type: "number" }] });
    expect((await get("/big")).indexes).toEqual([{ field: "n", type: "number", state: "building" }]);
    const early = await call("GET", "/big/records?n=3");
    expect([...statusAndCode(early), early.headers["retry-after"]]).toEqual([409, "NOT_YET_APPLIED", "5"]);
    const writes = [
      call("PUT", "/big/records/r00003", { n: 7 }),
      call("PUT", "/big/records/r02003", { n: 7 }),
      call("DELETE", "/big/records/r01503"),
      post("/big/records", { id: "new", n: 3 }),
    ];
    while (await stepSupplementIndexes(service.postgres));
    await Promise.all(writes);
    expect((await get("/big")).indexes[0].state).toBe("ready");
    const page = await get("/big/records?n=3&per_page=500&return_count=true");
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(["new", "r00013", "r02493"]));
    expect([page.data.length, page.pagination.total]).toEqual([248, 248]);
    expect((await get("/big/records?n=7&return_count=true&per_page=1")).pagination.total).toBe(252);
  });
});
