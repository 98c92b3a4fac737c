import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIGHTHOUSES_TABLES, lighthouses } from "./lighthouses.ts";
import { type Called, type CallOptions, type Running, startService } from "./running.ts";

/** Behaviour that every plain resource has by its definition, on one that exists in these tests alone. */

let service: Running;
/** Holder of both scopes of an account that has no lighthouse before the test. */
let key: string;
let account: number;

beforeAll(async () => {
  service = await startService({ resources: [lighthouses] });
  for (const text of LIGHTHOUSES_TABLES) await service.postgres.execute({ text });
});
afterAll(() => service.stop());

async function newAccount(): Promise<void> {
  const mine = await service.account();
  account = mine.account.number;
  key = await service.key(mine.account, { scopes: ["lighthouses:read", "lighthouses:write"] });
}

type Method = NonNullable<CallOptions["method"]>;
interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: string;
}

const call = (method: Method, path: string, { body, headers = {}, as = key }: Sent = {}) =>
  service.call(as, `/v2/lighthouses${path}`, { method, headers, ...(body !== undefined && { body }) });
const create = (body: object, sent: Sent = {}) => call("POST", "", { body, ...sent });
const put = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  call("PUT", path, { body, headers });
const etagOf = ({ headers }: Called) => String(headers.etag);
const errorsOf = ({ status, body }: Called) => [
  status,
  body.code,
  ...(body.details ?? []).map(({ path, code }: Record<string, string>) => `${path} ${code}`),
];
const keysOf = ({ body }: Called): string[] => body.data.map((record: { key: string }) => record.key);

/** Follows the pages of a list to its end; `between` runs after each of them. */
async function walk(query: string, between: (page: number) => Promise<unknown> = async () => undefined) {
  const keys: string[] = [];
  let next: string | undefined = `?${query}`;
  for (let page = 1; next !== undefined; page += 1) {
    const answer: Called = await call("GET", next);
    expect(answer.status).toBe(200);
    keys.push(...keysOf(answer));
    next = /<\/v2\/lighthouses(.*)>; rel="next"/.exec(String(answer.headers.link ?? ""))?.[1];
    expect(next === undefined).toBe(answer.body.pagination.next_cursor === null);
    await between(page);
  }
  return keys;
}

describe("a record", () => {
  beforeAll(newAccount);

  test("is created, read, changed in part and deleted, with one ETag for each content", async () => {
    const created = await create({ key: "a/b", name: "North", cityName: "Bergen", tags: ['"', "x,y", "\\"] });
    expect([created.status, created.body]).toEqual([201, { success: true, key: "a/b" }]);
    const first = await call("GET", "/a%2Fb");
    expect(first.body).toEqual({
      ...{ key: "a/b", name: "North", cityName: "Bergen", tags: ['"', "x,y", "\\"], open: true },
      ...{ ct: expect.stringMatching(/Z$/), lm: first.body.ct },
    });
    expect(etagOf(first)).toBe(etagOf(created));
    const changed = await put("/a%2Fb", { open: false, cityName: null });
    expect([changed.status, changed.body]).toEqual([200, { success: true, key: "a/b" }]);
    const second = await call("GET", "/a%2Fb");
    expect(second.body).toEqual({ ...first.body, cityName: undefined, open: false, lm: expect.any(String) });
    expect([etagOf(second), etagOf(second) === etagOf(first)]).toEqual([etagOf(changed), false]);
    expect(await put("/a%2Fb", { open: true, cityName: "Bergen" })).toMatchObject({ headers: { etag: etagOf(first) } });
    expect(await call("DELETE", "/a%2Fb")).toMatchObject({ status: 200, body: { success: true } });
    for (const method of ["GET", "DELETE"] as const) {
      expect(errorsOf(await call(method, "/a%2Fb"))).toEqual([404, "RECORD_NOT_FOUND"]);
    }
    expect(errorsOf(await put("/a%2Fb", { open: true }))).toEqual([404, "RECORD_NOT_FOUND"]);
  });

  test("has the same time of its last update when a change changes nothing", async () => {
    await create({ key: "same", name: "Same", tags: ["a"] });
    const { body } = await call("GET", "/same");
    expect((await put("/same", { name: "Same", tags: ["a"], open: true })).status).toBe(200);
    expect((await call("GET", "/same")).body).toEqual(body);
  });

  test("has a key that no other record of the account has, whoever comes at the same time", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => create({ key: "one", name: `${n}` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422]);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(errorsOf)).toEqual(Array(3).fill([422, "KEY_MUST_BE_UNIQUE", "/key bad_value"]));
    expect(answers.find(({ status }) => status === 422)?.body.message).toContain('the key "one"');
  });

  test.each([
    [{}, ["/key required", "/name required"]],
    [{ key: "x", name: "" }, ["/name out_of_range"]],
    [{ key: "x", name: 1, open: "yes" }, ["/name type_mismatch", "/open type_mismatch"]],
    [[], [" type_mismatch"]],
  ])("is refused with everything that is wrong with its body %j", async (body, details) => {
    expect(errorsOf(await create(body))).toEqual([422, "VALIDATION_ERROR", ...details]);
  });

  test("is written without members that it does not have, and each is named in the answer", async () => {
    const built = await create({ key: "warned", name: "x", nme: "y", ct: "2020-01-01T00:00:00.000Z" });
    expect(built.body.warnings).toMatchObject([
      { path: "/nme", code: "unknown_member", suggestion: "name" },
      { path: "/ct", code: "read_only" },
    ]);
    const { body: view } = await call("GET", "/warned");
    expect(view).not.toHaveProperty("nme");
    expect((await put("/warned", view)).body.warnings).toBeUndefined();
    const { body } = await put("/warned", { ...view, lm: "2020-01-01T00:00:00.000Z" });
    expect(body.warnings).toMatchObject([{ path: "/lm", code: "read_only" }]);
  });

  test("shows the members that `fields` names, and refuses names that it does not have", async () => {
    await create({ key: "picked", name: "Picked" });
    expect((await call("GET", "/picked?fields=name,%20open")).body).toEqual({ name: "Picked", open: true });
    const refused = await call("GET", "/picked?fields=name,city_name,nothing");
    expect(errorsOf(refused)).toEqual([400, "BAD_REQUEST", "/fields unknown_field", "/fields unknown_field"]);
    expect(refused.body.details[0].allowed).toEqual(["key", "name", "cityName", "tags", "open", "log", "ct", "lm"]);
    expect((await call("GET", "/picked?fields=cityName")).headers.etag).toEqual(expect.any(String));
  });

  test("is read after the receipt of its write, and without a receipt that is none", async () => {
    const result = await create({ key: "after", name: "After" });
    const receipt = String(result.headers["headwater-receipt"]);
    for (const path of [`/after?after=${receipt}`, `?fields=key&after=${receipt}`]) {
      expect((await call("GET", path)).status).toBe(200);
    }
    for (const path of ["/after?after=x", "?after=x"]) {
      expect(errorsOf(await call("GET", path))).toEqual([400, "BAD_REQUEST", "/after bad_value"]);
    }
  });
});

describe("a resource with rules of its own", () => {
  beforeAll(newAccount);
  const lamps = () =>
    service.postgres.query({ text: "SELECT key FROM lighthouse_lamps WHERE account = $1 ORDER BY key" }, [account]);

  test("refuses a write before it begins, or in the middle of it, and nothing of it stays", async () => {
    for (const log of ["refused before", "refused within"]) {
      expect(errorsOf(await create({ key: "checked", name: "x", log }))).toEqual([422, "VALIDATION_ERROR"]);
      expect((await call("GET", "/checked")).status).toBe(404);
    }
    await create({ key: "checked", name: "x" });
    for (const log of ["refused before", "refused within"]) {
      expect((await put("/checked", { name: "y", log })).status).toBe(422);
    }
    expect((await call("GET", "/checked?fields=name,log")).body).toEqual({ name: "x" });
    expect(await lamps()).toEqual([]);
  });

  test("has the key of its path for ever", async () => {
    await create({ key: "fixed", name: "x" });
    await put("/fixed", { key: "fixed", name: "y" });
    const moved = await put("/fixed", { key: "moved", name: "z" });
    expect(errorsOf(moved)).toEqual([422, "VALIDATION_ERROR", "/key not_allowed"]);
    expect((await call("GET", "/fixed?fields=name")).body).toEqual({ name: "y" });
  });

  test("is not deleted while others use it, and takes what it has elsewhere along when it goes", async () => {
    await create({ key: "used", name: "x", log: "lit" });
    await service.postgres.execute({ text: "INSERT INTO lighthouse_ships VALUES ($1, 'used', 'Aurora')" }, [account]);
    const refused = await call("DELETE", "/used");
    expect(errorsOf(refused)).toEqual([422, "INCLUDE_IN_USE", " not_allowed"]);
    expect(refused.body.details[0].message).toBe("The ship Aurora uses it.");
    expect(await lamps()).toEqual([{ key: "used" }]);
    await service.postgres.execute({ text: "DELETE FROM lighthouse_ships WHERE account = $1" }, [account]);
    expect((await call("DELETE", "/used")).status).toBe(200);
    expect(await lamps()).toEqual([]);
  });

  test("refuses bodies beyond its limit", async () => {
    expect((await create({ key: "long", name: "x", log: "x".repeat(4_000) })).status).toBe(201);
    expect((await create({ key: "longer", name: "x", log: "x".repeat(4_100) })).status).toBe(413);
  });

  test("lists by a filter, and as many large texts as a page holds", async () => {
    await newAccount();
    for (const n of [1, 2, 3, 4, 5]) {
      await create({ key: `k${n}`, name: "x", cityName: n % 2 === 0 ? "Oslo" : "Bergen", log: "x".repeat(45) });
    }
    const bergen = await call("GET", "?cityName=Bergen&fields=key&return_count=true");
    expect([keysOf(bergen), bergen.body.pagination.total]).toEqual([["k1", "k3", "k5"], 3]);
    expect(await walk("cityName=Bergen&fields=key&per_page=1")).toEqual(["k1", "k3", "k5"]);
    const numbered = await call("GET", "?page=1&per_page=5");
    expect(errorsOf(numbered)).toEqual([422, "VALIDATION_ERROR", "/page use_cursor"]);
    const pages: number[] = [];
    expect(await walk("per_page=5", async (page) => pages.push(page))).toEqual(["k1", "k2", "k3", "k4", "k5"]);
    expect(pages).toEqual([1, 2, 3]);
    await put("/k1", { log: "x".repeat(500) });
    expect(keysOf(await call("GET", "?per_page=5"))).toEqual(["k1"]);
    expect(keysOf(await call("GET", "?per_page=5&page=1&fields=key"))).toHaveLength(5);
  });
});

describe("a write with If-Match", () => {
  beforeAll(newAccount);

  test("happens to the version that it names alone", async () => {
    const old = etagOf(await create({ key: "guarded", name: "v1" }));
    const now = etagOf(await put("/guarded", { name: "v2" }, { "if-match": old }));
    for (const method of ["PUT", "DELETE"] as const) {
      const body = method === "PUT" ? { body: { name: "v3" } } : {};
      const stale = await call(method, "/guarded", { ...body, headers: { "if-match": old } });
      expect(errorsOf(stale)).toEqual([409, "VERSION_CONFLICT"]);
    }
    expect((await call("GET", "/guarded?fields=name")).body).toEqual({ name: "v2" });
    expect((await put("/guarded", { name: "v3" }, { "if-match": `${old}, ${now}` })).status).toBe(200);
    expect((await call("DELETE", "/guarded", { headers: { "if-match": "*" } })).status).toBe(200);
    expect((await call("DELETE", "/guarded", { headers: { "if-match": "*" } })).status).toBe(404);
  });

  test("lets one of several changes of a version through, and the others see it", async () => {
    const tag = etagOf(await create({ key: "raced", name: "v0" }));
    const names = ["v1", "v2", "v3", "v4"];
    const answers = await Promise.all(names.map((name) => put("/raced", { name }, { "if-match": tag })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const winner = names[answers.findIndex(({ status }) => status === 200)];
    expect((await call("GET", "/raced?fields=name")).body).toEqual({ name: winner });
  });
});

describe("a repeat under an Idempotency-Key", () => {
  beforeAll(newAccount);
  const once = (name: string) => ({ headers: { "idempotency-key": name } });

  test("gets the first answer with its ETag and its warnings, whatever has happened to the record since", async () => {
    const body = { key: "once", name: "Once", nme: 1 };
    const first = await create(body, once("create"));
    expect(first.body.warnings).toHaveLength(1);
    const changed = await call("PUT", "/once", { body: { name: "Twice" }, ...once("update") });
    await put("/once", { name: "Thrice" });
    const repeats = [
      [first, await create(body, once("create"))],
      [changed, await call("PUT", "/once", { body: { name: "Twice" }, ...once("update") })],
    ] as const;
    for (const [{ status, body: answer, headers }, repeat] of repeats) {
      const replayed = { etag: headers.etag, "idempotency-replayed": "true" };
      expect(repeat).toMatchObject({ status, body: answer, headers: replayed });
    }
    const removed = [await call("DELETE", "/once", once("delete")), await call("DELETE", "/once", once("delete"))];
    expect(removed.map(({ status, body: answer }) => [status, answer])).toEqual(
      Array(2).fill([200, { success: true }]),
    );
  });

  test("is refused with another body, and gets a refusal again", async () => {
    expect((await create({ key: "other", name: "a" }, once("other"))).status).toBe(201);
    expect(errorsOf(await create({ key: "other", name: "b" }, once("other")))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    const taken = await create({ key: "other", name: "c" }, once("taken"));
    expect(taken.body.code).toBe("KEY_MUST_BE_UNIQUE");
    await call("DELETE", "/other");
    expect((await create({ key: "other", name: "c" }, once("taken"))).body).toEqual(taken.body);
  });

  test("creates one record when both come at the same time", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({ key: "both", name: "x" }, once("both"))));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([201, answers[0]?.body]));
  });
});

describe("a list", () => {
  const all = Array.from({ length: 12 }, (_, n) => ({ key: `w${`${n}`.padStart(2, "0")}`, name: `n${(n * 5) % 6}` }));
  const byName = all.toSorted((a, b) => (a.name + a.key < b.name + b.key ? -1 : 1)).map((one) => one.key);
  const inOrder = all.map((one) => one.key);

  beforeAll(async () => {
    await newAccount();
    for (const body of all) expect((await create(body)).status).toBe(201);
  });

  test.each([
    ["", inOrder],
    ["sort_dir=desc", inOrder.toReversed()],
    ["sort_by=createdAt&sort_dir=asc", inOrder],
    ["sort_by=name", byName],
    ["sort_by=name&sort_dir=desc", byName.toReversed()],
    ["sort_by=key", inOrder],
  ])("has each record once in the order of %j, page by page", async (query, keys) => {
    expect(await walk(`per_page=5&${query}`)).toEqual(keys);
    expect(await walk(`per_page=12&${query}`)).toEqual(keys);
    expect(keysOf(await call("GET", `?per_page=5&page=3&${query}`))).toEqual(keys.slice(10));
  });

  test("continues by cursor where it stood while records before and behind come and go", async () => {
    const others: string[] = [];
    const keys = await walk("per_page=3&sort_by=key", async (page) => {
      if (page > 4) return;
      await create({ key: `a${page}`, name: "before" });
      await create({ key: `z${page}`, name: "behind" });
      await call("DELETE", `/a${page - 1}`);
      others.push(`a${page}`, `z${page}`);
    });
    expect(keys).toEqual([...inOrder, ...others.filter((one) => one.startsWith("z"))]);
    for (const other of others) await call("DELETE", `/${other}`);
  });

  test("continues behind a record that was deleted after its page was read", async () => {
    const keys = await walk("per_page=4&sort_by=name", async (page) => {
      if (page === 1) await call("DELETE", `/${byName[3]}`);
    });
    expect(keys).toEqual(byName);
    await create({ key: byName[3], name: all.find((one) => one.key === byName[3])?.name });
  });

  test("counts all records with return_count, and shows the members of `fields`", async () => {
    const { body } = await call("GET", "?per_page=5&return_count=true&fields=key,open&sort_by=key");
    expect(body.pagination).toMatchObject({ per_page: 5, page: 1, total: 12, last_page: 3 });
    expect(body.data[0]).toEqual({ key: "w00", open: true });
    expect(errorsOf(await call("GET", "?fields=colour"))).toEqual([400, "BAD_REQUEST", "/fields unknown_field"]);
    expect((await call("GET", "?per_page=5")).body.pagination).not.toHaveProperty("total");
  });

  test.each([
    ["per_page=501", [422, "VALIDATION_ERROR", "/per_page out_of_range"]],
    ["per_page=500&page=21", [422, "VALIDATION_ERROR", "/page use_cursor"]],
    ["per_page=0", [400, "BAD_REQUEST", "/per_page out_of_range"]],
    ["sort_by=ct", [400, "BAD_REQUEST", "/sort_by bad_value"]],
    ["sort_dir=up", [400, "BAD_REQUEST", "/sort_dir bad_value"]],
    ["colour=red", [400, "BAD_REQUEST", "/colour unknown_field"]],
    ["cursor=x", [400, "INVALID_CURSOR"]],
  ])("refuses %s", async (query, errors) => {
    expect(errorsOf(await call("GET", `?${query}`))).toEqual(errors);
  });

  test("takes a cursor of its own account, order and direction alone, and never together with a page", async () => {
    const cursor = (await call("GET", "?per_page=5")).body.pagination.next_cursor;
    expect((await call("GET", `?cursor=${cursor}&per_page=7`)).body.data).toHaveLength(7);
    for (const query of ["sort_by=name", "sort_dir=desc"]) {
      expect(errorsOf(await call("GET", `?cursor=${cursor}&${query}`))).toEqual([400, "INVALID_CURSOR"]);
    }
    expect(errorsOf(await call("GET", `?cursor=${cursor}&page=1`))).toEqual([400, "BAD_REQUEST", "/page not_allowed"]);
    const other = await service.account();
    const stranger = await service.key(other.account, { scopes: ["read"] });
    expect(errorsOf(await call("GET", `?cursor=${cursor}`, { as: stranger }))).toEqual([400, "INVALID_CURSOR"]);
  });
});

describe("a key", () => {
  beforeAll(newAccount);

  test("opens what its scopes name, and nothing of another account", async () => {
    await create({ key: "mine", name: "Mine" });
    const other = await service.account();
    const read = await service.key(other.account, { scopes: ["lighthouses:read", "programs:write"] });
    const write = await service.key(other.account, { scopes: ["write"] });
    const refused = [403, "INSUFFICIENT_SCOPE"];
    expect(errorsOf(await create({ key: "x", name: "x" }, { as: read }))).toEqual(refused);
    for (const method of ["PUT", "DELETE"] as const) {
      expect(errorsOf(await call(method, "/mine", { body: {}, as: read }))).toEqual(refused);
    }
    for (const path of ["", "/mine"]) expect(errorsOf(await call("GET", path, { as: write }))).toEqual(refused);
    expect((await call("GET", "", { as: read })).body.data).toEqual([]);
    const strangers = [
      await call("GET", "/mine", { as: read }),
      await call("PUT", "/mine", { body: { name: "Theirs" }, as: write }),
      await call("DELETE", "/mine", { as: write }),
    ];
    expect(strangers.map(errorsOf)).toEqual(Array(3).fill([404, "RECORD_NOT_FOUND"]));
    expect((await create({ key: "mine", name: "Theirs" }, { as: write })).status).toBe(201);
    expect((await call("GET", "/mine")).body.name).toBe("Mine");
    expect((await service.call(undefined, "/v2/lighthouses")).status).toBe(401);
  });
});

describe("the account's log", () => {
  beforeAll(newAccount);

  test("has one entry of each write that was done, and none of a repeat, a refusal or a read", async () => {
    const once = { headers: { "idempotency-key": "k" } };
    await create({ key: "logged", name: "planted name" }, once);
    await create({ key: "logged", name: "planted name" }, once);
    await create({ key: "logged", name: "b" });
    await put("/logged", { name: "c" });
    await put("/logged", { name: "d" }, { "if-match": '"stale"' });
    await put("/unknown", { name: "d" });
    await call("GET", "/logged");
    await call("DELETE", "/logged");
    const rows = await service.postgres.query(
      {
        text: "SELECT category, action, message, target, status FROM account_log WHERE account = $1 ORDER BY at, id",
      },
      [account],
    );
    const entry = { category: "API", target: "logged" };
    expect(rows).toEqual([
      { ...entry, action: "createLighthouse", message: "Creates a lighthouse.", status: "201" },
      { ...entry, action: "updateLighthouse", message: "Updates a lighthouse.", status: "200" },
      { ...entry, action: "deleteLighthouse", message: "Deletes a lighthouse.", status: "200" },
    ]);
  });
});
