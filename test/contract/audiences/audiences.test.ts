import type { Account } from "@headwater/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cid, seedAnalytics } from "../analytics/analyticsWorld.ts";
import { type CallOptions, type Running, startService } from "../service/running.ts";

let service: Running;
let key: string;
let otherKey: string;
let account: number;
let owner: Account;
const FIRST = 7_000;

beforeAll(async () => {
  service = await startService();
  const mine = await service.account();
  account = mine.account.number;
  owner = mine.account;
  await seedAnalytics(service, mine.account, FIRST);
  key = await service.key(mine.account, { scopes: ["read", "write", "admin"] });
  otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
});

afterAll(() => service.stop());

type Method = NonNullable<CallOptions["method"]>;
const call = (method: Method, path: string, body?: unknown, { as = key, headers = {} } = {}) =>
  service.call(as, `/v2/${path}`, { method, headers, ...(body !== undefined && { body }) });
const RED = { field: "attributes.color", op: "eq", value: "red" };
const save = (name: string, criteria: object = RED, members: object = {}) =>
  call("POST", "audiences", { key: name, name, criteria, ...members });
const count = (body: object) => call("POST", "audiencecount", body);
const errorsOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [
  status,
  body.code,
  body.details?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

test("criteria at their bound of bytes are counted, however many values they have", async () => {
  const where = Array.from({ length: 600 }, (_, n) => ({ field: `${"p".repeat(60)}${n}`, op: "neq", value: n }));
  const rule = { event: "browse", where };
  expect(JSON.stringify(rule).length).toBeGreaterThan(50_000);
  expect(await count({ criteria: rule })).toMatchObject({ status: 200, body: { count: 2 } });
});

describe("a contact of a count", () => {
  const criteria = {
    and: [RED, { list: "vip", op: "notIn" }, { event: "browse", count: { op: "gte", value: 3 } }],
  };
  const why = (contact: string, options: object = {}) =>
    call("POST", "audiencecount", { criteria, contact, ...options });

  test("is in or out at each node, with the value that the node saw", async () => {
    const { status, body } = await why("ada@example.com");
    expect([status, body.count, body.in]).toEqual([200, 0, false]);
    expect(body.nodes).toEqual([
      { path: "/criteria", in: false },
      { path: "/criteria/and/0", in: true, saw: "red" },
      { path: "/criteria/and/1", in: false, saw: true },
      { path: "/criteria/and/2", in: true, saw: 4 },
    ]);
    const other = await why("customer_id:3");
    expect(other.body.nodes[1]).toEqual({ path: "/criteria/and/0", in: false, saw: "blue" });
  });

  test("needs to be there, and a key that reads contacts", async () => {
    expect(await why("nobody@example.com")).toMatchObject({
      status: 404,
      body: { code: "CONTACTS_CONTACT_NOT_FOUND" },
    });
    const counter = await service.key(owner, { scopes: ["audiencecount:read"] });
    const body = { criteria, contact: "ada@example.com" };
    expect(await call("POST", "audiencecount", body, { as: counter })).toMatchObject({
      status: 403,
      body: { code: "INSUFFICIENT_SCOPE" },
    });
    expect(await count({ criteria, contact: 5 })).toMatchObject({
      status: 422,
      body: { details: [{ path: "/contact" }] },
    });
  });
});

describe("names that the account never had", () => {
  const property = (field: string, value: string) => ({ event: "browse", where: [{ field, op: "eq", value }] });
  test.each([
    [{ event: "brwose" }, "/event", ["browse"]],
    [{ or: [{ event: ["browse", "opne"] }] }, "/or/0/event/1", ["open"]],
    [property("categry", "Shoes"), "/where/0/field", ["category"]],
    [property("category", "Shoos"), "/where/0/value", ["Shoes"]],
    [{ not: { ...RED, value: "redd" } }, "/not/value", ["red"]],
    [{ ...RED, op: "in", value: ["blue", "redd"] }, "/value/1", ["red"]],
    [{ ...RED, value: "REDD", ci: true }, "/value", ["red"]],
  ])("in %j are warned of, with those that it had", async (criteria, path, allowed) => {
    const { status, body } = await count({ criteria });
    expect([status, body.warnings]).toMatchObject([200, [{ path: `/criteria${path}`, code: "never_seen", allowed }]]);
  });

  test("are not warned of where data has them", async () => {
    const known = [{ event: ["browse", "open"] }, property("category", "Shoes"), { ...RED, value: "RED", ci: true }];
    for (const criteria of [...known, ...known])
      expect((await count({ criteria })).body).not.toHaveProperty("warnings");
  });

  test("are warned of in searches, exports and trends, too", async () => {
    const searched = await call("GET", "contacts?attributes[color]=redd");
    expect(searched.body.warnings).toMatchObject([
      { path: "/attributes[color]", code: "never_seen", allowed: ["red"] },
    ]);
    const warnings = [{ path: "/criteria/event", code: "never_seen", allowed: ["browse"] }];
    const criteria = { event: "brwose" };
    const contacts = await call("POST", "contactexports", { fields: ["cID"], criteria });
    const trends = await call("POST", "audiencetrendsexport", { criteria });
    expect([contacts, trends]).toMatchObject([
      { status: 202, body: { warnings } },
      { status: 202, body: { warnings } },
    ]);
  });
});

describe("POST /v2/audiences", () => {
  test("saves one that GET shows by its key and by its id, and a count counts", async () => {
    const created = await save("reds", RED, { description: "d", tags: ["a", "b"], colour: 1 });
    const warnings = [{ path: "/colour", code: "unknown_member", message: expect.any(String) }];
    expect([created.status, created.body]).toEqual([
      201,
      { success: true, id: created.body.id, key: "reds", warnings },
    ]);
    expect(created.body.id).toMatch(/^[0-9a-f]{24}$/);
    const view = await call("GET", "audiences/reds");
    const { ct } = view.body;
    const members = { name: "reds", criteria: RED, description: "d", tags: ["a", "b"], ct, lm: ct };
    expect(view.body).toEqual({ id: created.body.id, key: "reds", ...members });
    expect((await call("GET", `audiences/${created.body.id}`)).body).toEqual(view.body);
    expect(view.headers.etag).toBe(created.headers.etag);
    expect((await count({ key: "reds" })).body.count).toBe(1);
    expect((await count({ id: created.body.id })).body.count).toBe(1);
    expect((await count({ not: { audience: "reds" } })).body.count).toBe(1);
  });

  test.each([
    [{ key: "a b", name: "n", criteria: RED }, "VALIDATION_ERROR", "/key bad_value"],
    [{ key: "65f0c0ffee65f0c0ffee0001", name: "n", criteria: RED }, "VALIDATION_ERROR", "/key bad_value"],
    [{ key: "x", criteria: RED }, "VALIDATION_ERROR", "/name required"],
    [{ key: "x", name: "n" }, "VALIDATION_ERROR", "/criteria required"],
    [{ key: "x", name: "n", criteria: {} }, "INVALID_AUDIENCE_RULES", "/criteria bad_value"],
    [
      { key: "x", name: "n", criteria: { audience: "nobody" } },
      "INVALID_AUDIENCE_RULES",
      "/criteria/audience unknown_reference",
    ],
    [
      { key: "x", name: "n", criteria: { and: [{ audience: "x" }] } },
      "INVALID_AUDIENCE_RULES",
      "/criteria/and/0/audience cycle",
    ],
    [
      { key: "x", name: "n", criteria: { field: "attributes.color", op: "regex", value: "\\pQ+" } },
      "INVALID_AUDIENCE_RULES",
      "/criteria/value bad_value",
    ],
  ])("refuses %j", async (body, code, detail) => {
    expect(errorsOf(await call("POST", "audiences", body))).toEqual([422, code, [detail]]);
    expect((await call("GET", "audiences/x")).status).toBe(404);
  });

  test("gives a key to one of many that come at once, and a repeat under its Idempotency-Key its first answer", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => save("raced")));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(422)]);
    const headers = { "idempotency-key": "once" };
    const body = { key: "once", name: "n", criteria: RED };
    const first = await call("POST", "audiences", body, { headers });
    const again = await call("POST", "audiences", body, { headers });
    expect([again.status, again.body, again.headers["idempotency-replayed"]]).toEqual([201, first.body, "true"]);
  });

  test("is another account's own", async () => {
    for (const path of ["audiences/reds", "contacts?audience-key=reds"])
      expect((await call("GET", path, undefined, { as: otherKey })).status).toBe(404);
    for (const method of ["PUT", "DELETE"] as const)
      expect((await call(method, "audiences/reds", method === "PUT" ? {} : undefined, { as: otherKey })).status).toBe(
        404,
      );
    const theirs = await call("POST", "audiencecount", { audience: "reds" }, { as: otherKey });
    expect(errorsOf(theirs)).toEqual([422, "INVALID_AUDIENCE_RULES", ["/audience unknown_reference"]]);
    expect((await call("POST", "audiencecount", { key: "reds" }, { as: otherKey })).status).toBe(404);
  });
});

describe("what an audience names", () => {
  test("may be renamed: a list is kept by its id and shown by its name of now", async () => {
    const list = (await call("POST", "accountlists", { name: "spring" })).body.id;
    await save("listed", { and: [{ list: "Spring", op: "in" }] });
    expect((await call("PUT", `accountlists/${list}`, { name: "summer" })).status).toBe(200);
    await call("POST", "accountlists", { name: "spring" });
    const { criteria, problems } = (await call("GET", "audiences/listed")).body;
    expect([criteria, problems]).toEqual([{ and: [{ list: "summer", op: "in" }] }, undefined]);
    expect((await count({ key: "listed" })).body.count).toBe(0);
    expect((await call("DELETE", `accountlists/${list}`)).status).toBe(200);
    const gone = (await call("GET", "audiences/listed")).body.problems;
    expect(gone[0].message).toBe('list "summer" does not exist any more');
    expect(gone).toMatchObject([{ path: "/criteria/and/0/list", code: "unknown_reference" }]);
    expect(errorsOf(await count({ key: "listed" }))).toEqual([
      422,
      "INVALID_AUDIENCE_RULES",
      ["/criteria/and/0/list unknown_reference"],
    ]);
    await save("refers", RED);
    expect(errorsOf(await count({ or: [RED, { audience: "listed" }] }))[2]).toEqual([
      "/or/1/audience unknown_reference",
    ]);
    expect((await call("PUT", "audiences/listed", { name: "still" })).status).toBe(200);
  });

  test("never leads back to it, whoever makes the cycle, at once too", async () => {
    await save("c1");
    await save("c2", { audience: "c1" });
    await save("c3", { and: [{ not: { audience: "c2" } }] });
    for (const criteria of [{ audience: "c1" }, { audience: "c3" }, { or: [{ audience: "c2" }] }]) {
      expect(errorsOf(await call("PUT", "audiences/c1", { criteria }))[1]).toBe("INVALID_AUDIENCE_RULES");
    }
    const { id } = (await call("GET", "audiences/c1")).body;
    const byId = await call("PUT", `audiences/${id}`, { criteria: { audience: "c3" } });
    expect(errorsOf(byId)[2]).toEqual(["/criteria/audience cycle"]);
    await save("r1");
    await save("r2");
    const raced = await Promise.all([
      call("PUT", "audiences/r1", { criteria: { audience: "r2" } }),
      call("PUT", "audiences/r2", { criteria: { audience: "r1" } }),
    ]);
    expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("is written out to at most 2,000 nodes and 10 references deep", async () => {
    const nodes = (n: number) => ({ or: Array.from({ length: n }, () => ({ and: [] })) });
    expect((await save("wide", nodes(199))).status).toBe(201);
    const many = (n: number) => ({ or: Array.from({ length: n }, () => ({ audience: "wide" })) });
    expect((await save("nine", many(9))).status).toBe(201);
    expect((await count({ audience: "nine" })).status).toBe(200);
    expect(errorsOf(await count(many(10)))[2]).toEqual(["/or/9/audience limit_exceeded"]);
    await save("d0");
    for (let n = 1; n <= 10; n++) expect((await save(`d${n}`, { audience: `d${n - 1}` })).status).toBe(201);
    expect((await count({ audience: "d9" })).body.count).toBe(1);
    expect((await call("POST", "audiencecount", { key: "d10" })).body.count).toBe(1);
    expect((await call("GET", "contacts?audience-key=d10")).body.data).toHaveLength(1);
    expect((await call("GET", "audiences/d10")).body).not.toHaveProperty("problems");
    expect(errorsOf(await count({ audience: "d10" }))[2]).toEqual(["/audience limit_exceeded"]);
    expect(errorsOf(await save("d11", { audience: "d10" }))[2]).toEqual(["/criteria/audience limit_exceeded"]);
  });
});

describe("PUT and DELETE /v2/audiences/{key}", () => {
  test("change what is given, keep the key, and write nothing when nothing changes", async () => {
    await save("put", RED, { description: "d", tags: ["a"] });
    const before = (await call("GET", "audiences/put")).body;
    expect((await call("PUT", "audiences/put", { name: "put", tags: ["a"], criteria: RED })).status).toBe(200);
    expect((await call("GET", "audiences/put")).body).toEqual(before);
    const blue = { ...RED, value: "blue" };
    expect((await call("PUT", "audiences/put", { criteria: blue, description: null, key: "put" })).status).toBe(200);
    const { description: _, ...rest } = before;
    const after = (await call("GET", "audiences/put")).body;
    expect(after).toEqual({ ...rest, criteria: blue, lm: after.lm });
    expect(errorsOf(await call("PUT", "audiences/put", { key: "b" }))[2]).toEqual(["/key not_allowed"]);
    expect((await call("PUT", "audiences/none", {})).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("GET", "audiences/%00")).status).toBe(404);
  });

  test("an audience is deleted once nobody uses it, and its users are named", async () => {
    const { id } = (await save("used")).body;
    await save("user", { audience: id });
    const use = {
      text: "INSERT INTO audience_uses (account, audience, kind, user_id) VALUES ($1, $2, 'orchestration', 'o1')",
    };
    await service.postgres.execute(use, [account, id]);
    const { status, body } = await call("DELETE", "audiences/used");
    expect([status, body.code]).toEqual([422, "AUDIENCE_IN_USE"]);
    expect(body.details.map(({ message }: { message: string }) => message)).toEqual([
      "The saved audience user uses it.",
      "The orchestration o1 uses it.",
    ]);
    await service.postgres.execute({ text: "DELETE FROM audience_uses WHERE kind = 'orchestration'" });
    expect((await call("DELETE", "audiences/user")).status).toBe(200);
    expect((await call("DELETE", `audiences/${id}`)).body).toEqual({ success: true });
    expect((await call("GET", "audiences/used")).status).toBe(404);
  });
});

describe("lastCount", () => {
  test("is the last count of the present by key or id, of the definition of now, once a minute", async () => {
    await save("counted");
    const lastCount = async () => (await call("GET", "audiences/counted")).body.lastCount;
    await count({ key: "counted", asOf: new Date().toISOString() });
    await count({ key: "counted", eligibleFor: { channel: "email", classification: "transactional" } });
    expect(await lastCount()).toBeUndefined();
    const first = await count({ key: "counted" });
    expect(await lastCount()).toEqual({ count: 1, asOf: first.body.asOf });
    await count({ key: "counted" });
    expect(await lastCount()).toEqual({ count: 1, asOf: first.body.asOf });
    await call("PUT", "audiences/counted", { criteria: { and: [] } });
    expect(await lastCount()).toBeUndefined();
    await count({ key: "counted" });
    expect((await lastCount()).count).toBe(2);
  });
});

describe("GET /v2/audiences", () => {
  let lister: string;
  const list = (query: string) => call("GET", `audiences?${query}`, undefined, { as: lister });
  const keysOf = (answer: { body: { data: { key: string }[] } }) => answer.body.data.map((one) => one.key);

  beforeAll(async () => {
    lister = await service.key((await service.account()).account, { scopes: ["audiences:read", "audiences:write"] });
    for (const name of ["d", "b", "a", "c"]) {
      const body = { key: name, name, criteria: { and: [] }, ...(name < "c" && { tags: [`t${name}`] }) };
      expect((await call("POST", "audiences", body, { as: lister })).status).toBe(201);
    }
  });

  test("pages, sorts, filters by tags, counts, and shows what fields names", async () => {
    const first = await list("per_page=3&return_count=true&fields=key,criteria");
    expect([first.body.data[0], first.body.pagination.total]).toEqual([{ key: "d", criteria: { and: [] } }, 4]);
    const next = await list(`per_page=3&cursor=${first.body.pagination.next_cursor}`);
    expect([...keysOf(first), ...keysOf(next)].toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(keysOf(await list("sort_by=key&sort_dir=desc"))).toEqual(["d", "c", "b", "a"]);
    expect(keysOf(await list("tags=ta,%20tb&sort_by=key"))).toEqual(["a", "b"]);
    expect(keysOf(await list("tags=t"))).toEqual([]);
    expect((await list("fields=colour")).body.code).toBe("BAD_REQUEST");
  });

  test("ends a page early that would hold too much, and goes on by cursor", async () => {
    const values = Array.from({ length: 60 }, (_, index) => `${index}`.padEnd(1_000, "x"));
    const criteria = { field: "cID", op: "in", value: values };
    const total = 80;
    for (let n = 0; n < total; n++) {
      await call("POST", "audiences", { key: `large-${n}`, name: "n", criteria }, { as: lister });
    }
    const first = await list("per_page=100&sort_by=key");
    expect(first.body.data.length).toBeLessThan(total);
    const rest = await list(`per_page=100&sort_by=key&cursor=${first.body.pagination.next_cursor}`);
    expect(first.body.data.length + rest.body.data.length).toBe(total + 4);
    expect((await list("per_page=100&page=1")).body.details[0].code).toBe("use_cursor");
    expect(keysOf(await list("per_page=100&page=1&fields=key"))).toHaveLength(total + 4);
  });
});

describe("GET /v2/contacts?audience-key=", () => {
  test("pages the contacts of the audience, with every other filter", async () => {
    await save("all", { and: [] });
    const first = await call("GET", "contacts?audience-key=all&per_page=1&return_count=true&fields=cID");
    expect([first.body.data, first.body.pagination.total]).toEqual([[{ cID: cid(FIRST + 1) }], 2]);
    const next = await call("GET", `contacts?audience-key=all&per_page=1&cursor=${first.body.pagination.next_cursor}`);
    expect(next.body.data.map(({ cID }: { cID: string }) => cID)).toEqual([cid(FIRST + 3)]);
    const both = await call("GET", "contacts?audience-key=all&attributes[color]=blue&fields=cID");
    expect(both.body.data).toEqual([{ cID: cid(FIRST + 3) }]);
    expect((await call("GET", "contacts?audience-key=none")).body.code).toBe("RECORD_NOT_FOUND");
  });

  test("is 422 for an audience with problems, and names the parameter beside every other", async () => {
    const list = (await call("POST", "accountlists", { name: "brief" })).body.id;
    await save("broken", { and: [{ list: "brief", op: "in" }] });
    expect((await call("DELETE", `accountlists/${list}`)).status).toBe(200);
    const invalid = [422, "INVALID_AUDIENCE_RULES", ["/audience-key unknown_reference"]];
    expect(errorsOf(await call("GET", "contacts?audience-key=broken"))).toEqual(invalid);
    const more = "attributes[color]=blue&lastModified[gte]=2020-01-01";
    expect(errorsOf(await call("GET", `contacts?audience-key=broken&${more}`))).toEqual(invalid);
    const unknown = await call("GET", "contacts?attributes[a/b]=1&return_count=true");
    expect(errorsOf(unknown)).toEqual([422, "INVALID_AUDIENCE_RULES", ["/attributes[a~1b] unknown_field"]]);
  });
});
