import { serveService } from "@headwater/service/testService";
import { describe, expect, test } from "vitest";

const appended: { readonly subject: string; readonly entries: readonly { readonly text: string }[] }[] = [];
const service = serveService(["accountlists"], {
  producer: {
    append: async (append) => {
      appended.push(append);
      const { topic, entries } = append;
      return [
        { topic, partition: 0, firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 0, count: entries.length },
      ];
    },
  },
});
const { send } = service;
const NOBODY = { id: "65f0c0ffee65f0c0ffee0099" };

test("a list is created, read, changed, counted, cleared and deleted", async () => {
  const created = await send("createAccountlist", { body: { name: "spring", enhanced: true } });
  expect(created).toMatchObject({ status: 201, body: { success: true } });
  const params = { id: String(created.body.id) };
  expect(await send("getAccountlist", { params })).toMatchObject({ status: 200, body: { name: "spring" } });
  expect((await send("updateAccountlist", { params, body: { enhanced: false } })).status).toBe(200);
  expect((await send("getAccountlist", { params })).body).toMatchObject({ enhanced: false });
  expect(await send("countAccountlist", { params })).toMatchObject({ status: 200, body: { count: 0 } });
  expect((await send("clearAccountlist", { params })).status).toBe(200);
  expect(await send("listAccountlists")).toMatchObject({ status: 200, body: { data: [{ id: created.body.id }] } });
  expect(await send("deleteAccountlist", { params })).toMatchObject({ status: 200, body: { success: true } });
  expect((await send("getAccountlist", { params })).status).toBe(404);
});

test.each([
  "getAccountlist",
  "updateAccountlist",
  "updateAccountlistmembers",
  "countAccountlist",
  "clearAccountlist",
  "deleteAccountlist",
])("%s answers 404 for an unknown list", async (operation) => {
  expect(await send(operation, { params: NOBODY })).toMatchObject({
    status: 404,
    body: { code: "ACCOUNT_LISTS_NOT_FOUND" },
  });
});

test("a name that is taken is refused with 422", async () => {
  await send("createAccountlist", { body: { name: "taken" } });
  expect((await send("createAccountlist", { body: { name: "taken" } })).status).toBe(422);
});

test("lists are counted where fields names it, up to 25 of a page", async () => {
  const [full, empty] = await Promise.all(
    ["full", "empty"].map((name) => send("createAccountlist", { body: { name } }).then(({ body }) => body.id)),
  );
  for (const email of ["a@example.com", "b@example.com"]) {
    const body = { identifiers: { email }, channels: { email: { address: email } }, lists: ["full"] };
    await send("createContact", { body });
  }
  const answer = await send("listAccountlists", { query: "?fields=id,name,count&per_page=25" });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual(expect.arrayContaining([{ id: empty, name: "empty", count: 0 }]));
  const counted = await send("countAccountlist", { params: { id: String(full) } });
  expect(answer.body.data).toEqual(expect.arrayContaining([{ id: full, name: "full", count: counted.body.count }]));
  expect(counted.body.count).toBe(2);
  const plain = await send("listAccountlists");
  expect(plain.body.data[0]).not.toHaveProperty("count");
  const many = await send("listAccountlists", { query: "?fields=count&per_page=26" });
  expect(many).toMatchObject({ status: 422, body: { details: [{ path: "/per_page", code: "out_of_range" }] } });
});

test("members of an emptied list who are put on it again, or taken off, are noted where an orchestration is enabled", async () => {
  const [of, email] = [{ account: service.account.number }, { a: "again@example.com", b: "off@example.com" }];
  const { body: list } = await send("createAccountlist", { body: { name: "noted" } });
  const write = (address: string, lists: unknown) =>
    send("createContact", { body: { identifiers: { email: address }, channels: { email: { address } }, lists } });
  const noted = () => {
    const text = `SELECT i.value FROM cleared_members m JOIN contact_identifiers i ON (i.account, i.contact) = (m.account, m.contact)
      WHERE m.account = $1 AND i.name = 'email' ORDER BY i.value`;
    return service.postgres.query<{ value: string }>({ text }, [of.account]);
  };
  const clear = () => send("clearAccountlist", { params: { id: String(list.id) } });
  for (const address of Object.values(email)) await write(address, ["noted"]);
  await clear();
  await write(email.a, ["noted"]);
  expect(await noted()).toEqual([]);
  const text = `INSERT INTO orchestrations (account, id, name, is_enabled, version, content, created_at, updated_at)
    VALUES ($1, 'o', 'o', true, 1, '{}', 0, 0)`;
  await service.postgres.execute({ text }, [of.account]);
  await write(email.b, ["noted"]);
  await clear();
  await write(email.a, ["noted"]);
  await write(email.b, { noted: false });
  expect(await noted()).toEqual([{ value: email.a }, { value: email.b }]);
  await service.postgres.execute({ text: "DELETE FROM orchestrations WHERE account = $1" }, [of.account]);
});

test("lists are sorted by id or name, found by name whatever its case, and have the members that `fields` names", async () => {
  const { body: created } = await send("createAccountlist", { body: { name: "Sorted" } });
  for (const by of ["id", "name"])
    expect((await send("listAccountlists", { query: `?sort_by=${by}` })).status).toBe(200);
  const found = await send("listAccountlists", { query: "?name=sORTED&fields=name,%20id" });
  expect(found.body.data).toEqual([{ id: created.id, name: "Sorted" }]);
  for (const query of ["?sort_by=enhanced", "?fields=name,colour"]) {
    expect((await send("listAccountlists", { query })).status).toBe(400);
  }
});

describe("members of a list", () => {
  const members = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    const { body: listed } = await send("listAccountlists", { query: "?name=members" });
    const id = listed.data[0]?.id ?? (await send("createAccountlist", { body: { name: "members" } })).body.id;
    appended.length = 0;
    return { id, ...(await send("updateAccountlistmembers", { params: { id: String(id) }, body, headers })) };
  };

  test("are written to the log as intake's list operations write them, and the answer is a receipt", async () => {
    const add = [{ email: "Ada@Example.com" }, { customer_id: 17_850 }];
    const { id, status, body, headers } = await members({ add, remove: [{ email: "b@x.org" }], canBeCreated: true });
    expect([status, body]).toEqual([
      202,
      { requestId: expect.any(String), receipt: headers["headwater-receipt"], added: 2, removed: 1 },
    ]);
    const records = appended.flatMap(({ subject, entries }) =>
      entries.map(({ text }) => [subject, JSON.parse(text)] as const),
    );
    const [first, second, third] = records.map(([, record]) => record);
    expect(first).toMatchObject({ id: `${body.requestId}:0:0`, contact: { identifiers: add[0] }, listId: id });
    expect(second).toMatchObject({ id: `${body.requestId}:0:1`, canBeCreated: true });
    expect(third).toMatchObject({ id: `${body.requestId}:1:0`, contact: { identifiers: { email: "b@x.org" } } });
    expect(third).not.toHaveProperty("canBeCreated");
    expect(new Set(records.map(([subject]) => subject)).size).toBe(2);
  });

  test("are written again under the same ids when the call is repeated with its key, and answered once", async () => {
    const headers = { "idempotency-key": "members-1" };
    const first = await members({ add: [{ email: "a@x.org" }] }, headers);
    const again = await members({ add: [{ email: "a@x.org" }] }, headers);
    expect([again.status, again.body, appended]).toEqual([202, first.body, []]);
  });

  test.each([
    ["no contact", {}, "/add", "required"],
    ["an identifier that is none", { add: [{ email: "a@x.org" }, {}] }, "/add/1", "required"],
    ["a value of another type", { remove: [{ email: { a: 1 } }] }, "/remove/0/email", undefined],
    ["an address without a canonical form", { add: [{ cID: "x" }, { cID: "" }] }, "/add/1/cID", undefined],
    ["a contact in both", { add: [{ email: "a@x.org" }], remove: [{ email: "A@x.org" }] }, "/remove/0", "not_allowed"],
    [
      "too many",
      { add: Array.from({ length: 600 }, (_, n) => ({ cID: `${n}` })), remove: Array(401).fill({ cID: "z" }) },
      "/add",
      "too_many",
    ],
  ])("with %s are refused as a whole, with the path", async (_what, body, path, code) => {
    const { status, body: answer } = await members(body);
    expect([status, answer.code, appended]).toEqual([422, "VALIDATION_ERROR", []]);
    const [first] = answer.details;
    expect(first).toMatchObject({ path, ...(code !== undefined && { code }) });
  });

  test("a dry run of members writes nothing to the log", async () => {
    const { body: listed } = await send("listAccountlists", { query: "?name=members" });
    const params = { id: String(listed.data[0].id) };
    appended.length = 0;
    const tried = await send("updateAccountlistmembers", {
      params,
      query: "?dryRun=true",
      body: { add: [{ cID: "x" }] },
    });
    expect([tried.status, tried.body.status, tried.body.counts.records, appended]).toEqual([200, 202, 1, []]);
  });
});
