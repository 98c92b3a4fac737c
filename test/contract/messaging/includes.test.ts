import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, type Running, startService } from "../service/running.ts";

let service: Running;
let key: string;
let otherKey: string;
let account: number;

beforeAll(async () => {
  service = await startService();
  const mine = await service.account();
  account = mine.account.number;
  key = await service.key(mine.account, { scopes: ["includes:read", "includes:write"] });
  const other = await service.account();
  otherKey = await service.key(other.account, { scopes: ["read", "write", "admin"] });
});

afterAll(() => service.stop());

const call = (method: CallOptions["method"] & string, url: string, body?: unknown, as = key, headers = {}) =>
  service.call(as, url, { method, headers, ...(body !== undefined && { body }) });
const make = (name: string, members: object = {}) =>
  call("POST", "/v2/includes", { key: name, content: "c", ...members });

describe("POST /v2/includes", () => {
  test("makes one that GET shows, and ignores members it does not know", async () => {
    const created = await make("footer", {
      content: "<p>ü</p>",
      name: "Footer",
      tags: ["legal"],
      description: null,
      colour: 1,
    });
    expect([created.status, created.body]).toEqual([
      201,
      {
        success: true,
        key: "footer",
        warnings: [expect.objectContaining({ path: "/colour", code: "unknown_member" })],
      },
    ]);
    const { status, body } = await call("GET", "/v2/includes/footer");
    expect(status).toBe(200);
    expect(body).toEqual({
      key: "footer",
      content: "<p>ü</p>",
      name: "Footer",
      tags: ["legal"],
      createdAt: body.createdAt,
      lastUpdate: body.createdAt,
    });
    expect(body.createdAt).toMatch(/^\d{4}-.*\.\d{3}Z$/);
  });

  test("gives a key to one of many that come at once; another account may have it too", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make("raced")));
    const refused = answers.filter(({ status }) => status === 422);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(refused).toHaveLength(7);
    for (const { body } of refused) expect([body.code, body.details[0].path]).toEqual(["KEY_MUST_BE_UNIQUE", "/key"]);
    const theirs = await call("POST", "/v2/includes", { key: "raced", content: "theirs" }, otherKey);
    expect(theirs.status).toBe(201);
    expect((await call("GET", "/v2/includes/raced")).body.content).toBe("c");
  });

  test("answers a repeat under its Idempotency-Key as the first time", async () => {
    const headers = { "idempotency-key": "once" };
    const body = { key: "once", content: "1" };
    const first = await call("POST", "/v2/includes", body, key, headers);
    const again = await call("POST", "/v2/includes", body, key, headers);
    expect([first.status, again.status, again.headers["idempotency-replayed"]]).toEqual([201, 201, "true"]);
  });

  test.each([
    [{ content: "c" }, "/key", "required"],
    [{ key: "a b", content: "c" }, "/key", "bad_value"],
    [{ key: "ok" }, "/content", "required"],
    [{ key: "ok", content: "a\u0000b" }, "/content", "bad_value"],
    [{ key: "ok", content: "c", name: "n".repeat(33) }, "/name", "too_long"],
    [{ key: "ok", content: "c", tags: [""] }, "/tags/0", "out_of_range"],
  ])("refuses %j", async (body, path, code) => {
    const answer = await call("POST", "/v2/includes", body);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.details[0]).toMatchObject({ path, code });
  });

  test("takes bodies of up to 5 MiB", async () => {
    expect((await make("large", { content: "x".repeat(5 * 1024 * 1024 - 100) })).status).toBe(201);
    const { status, body } = await make("larger", { content: "x".repeat(5 * 1024 * 1024) });
    expect([status, body.code, body.limit]).toEqual([413, "PAYLOAD_TOO_LARGE", { what: "bytes", max: 5_242_880 }]);
  });

  test("needs a key, and the scope to write", async () => {
    expect((await service.call(undefined, "/v2/includes", { method: "POST", body: {} })).status).toBe(401);
    const { account: one } = await service.account();
    const reader = await service.key(one, { scopes: ["includes:read"] });
    expect((await call("POST", "/v2/includes", { key: "k", content: "" }, reader)).status).toBe(403);
  });
});

describe("PUT /v2/includes/{key}", () => {
  test("changes what is given, removes what is null, and keeps the key", async () => {
    await make("put", { name: "Name", description: "D", tags: ["a"] });
    const before = (await call("GET", "/v2/includes/put")).body;
    const put = await call("PUT", "/v2/includes/put", { name: "New", tags: null, key: "put" });
    expect([put.status, put.body]).toEqual([200, { success: true, key: "put" }]);
    const { tags: _, ...rest } = before;
    const after = (await call("GET", "/v2/includes/put")).body;
    expect(after).toEqual({ ...rest, name: "New", lastUpdate: after.lastUpdate });
    const moved = await call("PUT", "/v2/includes/put", { key: "other" });
    expect([moved.status, moved.body.details[0]]).toMatchObject([422, { path: "/key", code: "not_allowed" }]);
    expect((await call("PUT", "/v2/includes/put", { content: null })).status).toBe(422);
  });

  test("writes nothing when nothing changes", async () => {
    await make("same", { tags: ["a", "b"] });
    const before = (await call("GET", "/v2/includes/same")).body;
    expect((await call("PUT", "/v2/includes/same", { content: "c", tags: ["a", "b"] })).status).toBe(200);
    expect((await call("GET", "/v2/includes/same")).body).toEqual(before);
  });

  test("answers 404 for one that is not there, or another account's", async () => {
    expect((await call("PUT", "/v2/includes/none", {})).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("PUT", "/v2/includes/footer", {}, otherKey)).status).toBe(404);
  });
});

describe("GET /v2/includes/{key}", () => {
  test("shows the members that fields names, and 404 for what is not there or not ours", async () => {
    expect((await call("GET", "/v2/includes/footer?fields=key,name")).body).toEqual({ key: "footer", name: "Footer" });
    expect((await call("GET", "/v2/includes/footer?fields=colour")).body.code).toBe("BAD_REQUEST");
    expect((await call("GET", "/v2/includes/none")).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("GET", "/v2/includes/%00")).status).toBe(404);
    expect((await call("GET", "/v2/includes/footer", undefined, otherKey)).status).toBe(404);
  });
});

describe("DELETE /v2/includes/{key}", () => {
  test("is refused while a message uses it, and names the users", async () => {
    await make("used");
    const use = { text: "INSERT INTO include_uses (account, include, kind, user_id) VALUES ($1, 'used', $2, $3)" };
    await service.postgres.execute(use, [account, "automationtemplate", "welcome"]);
    const { status, body } = await call("DELETE", "/v2/includes/used");
    expect([status, body.code]).toEqual([422, "INCLUDE_IN_USE"]);
    expect(body.details).toEqual([
      { path: "", code: "not_allowed", message: "The automation template welcome uses it." },
    ]);
    await service.postgres.execute({ text: "DELETE FROM include_uses" });
    expect((await call("DELETE", "/v2/includes/used")).body).toEqual({ success: true });
    expect((await call("GET", "/v2/includes/used")).status).toBe(404);
    expect((await call("DELETE", "/v2/includes/used")).body.code).toBe("RECORD_NOT_FOUND");
    expect((await make("used")).status).toBe(201);
  });

  test("never deletes another account's", async () => {
    expect((await call("DELETE", "/v2/includes/footer", undefined, otherKey)).status).toBe(404);
    expect((await call("GET", "/v2/includes/footer")).status).toBe(200);
  });
});

describe("GET /v2/includes", () => {
  let lister: string;
  const keysOf = (answer: { body: { data: { key: string }[] } }) => answer.body.data.map((one) => one.key);
  const list = (query: string) => call("GET", `/v2/includes?${query}`, undefined, lister);

  beforeAll(async () => {
    const { account: one } = await service.account();
    lister = await service.key(one, { scopes: ["read", "write", "admin"] });
    for (const name of ["d", "b", "e", "a", "c"]) {
      expect((await call("POST", "/v2/includes", { key: name, content: name }, lister)).status).toBe(201);
    }
  });

  test("pages every include once, whatever is written meanwhile", async () => {
    const seen: string[] = [];
    let url: string | undefined = "/v2/includes?per_page=2&return_count=true&fields=key";
    while (url !== undefined) {
      const answer = await call("GET", url, undefined, lister);
      seen.push(...keysOf(answer));
      expect(answer.body.pagination.total).toBe(5);
      await call("PUT", "/v2/includes/d", { content: `written ${seen.length}` }, lister);
      url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(["a", "b", "c", "d", "e"]));
  });

  test("sorts by key, filters by key, counts", async () => {
    expect(keysOf(await list("sort_by=key"))).toEqual(["a", "b", "c", "d", "e"]);
    expect(keysOf(await list("sort_by=key&sort_dir=desc&per_page=2&page=2"))).toEqual(["c", "b"]);
    const one = await list("key=b&return_count=true");
    expect(one.body.data[0]).toMatchObject({ key: "b", content: "b" });
    expect(one.body.pagination.total).toBe(1);
    expect(keysOf(await list("key=z"))).toEqual([]);
  });

  test.each([
    ["sort_by=name", "BAD_REQUEST"],
    ["fields=colour", "BAD_REQUEST"],
    ["cursor=x", "INVALID_CURSOR"],
    ["per_page=501", "VALIDATION_ERROR"],
  ])("refuses %s", async (query, code) => {
    expect((await list(query)).body.code).toBe(code);
  });

  test("ends a page early that would hold too much content, and goes on by cursor", async () => {
    const { account: one } = await service.account();
    lister = await service.key(one, { scopes: ["read", "write", "admin"] });
    const content = "x".repeat(5_000_000);
    for (const name of ["1", "2", "3", "4", "5"]) await call("POST", "/v2/includes", { key: name, content }, lister);
    const first = await list("per_page=5");
    expect(keysOf(first)).toEqual(["1", "2", "3"]);
    expect(first.body.data.every((each: { content: string }) => each.content === content)).toBe(true);
    const second = await list(`per_page=5&cursor=${first.body.pagination.next_cursor}`);
    expect(keysOf(second)).toEqual(["4", "5"]);
    expect(second.body.pagination.next_cursor).toBeNull();
    expect((await list("per_page=5&page=1")).body.details[0].code).toBe("use_cursor");
    expect(keysOf(await list("per_page=5&page=1&fields=key"))).toHaveLength(5);
  });
});
