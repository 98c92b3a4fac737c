import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService(["accountlists"]);
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

test.each(["getAccountlist", "updateAccountlist", "countAccountlist", "clearAccountlist", "deleteAccountlist"])(
  "%s answers 404 for an unknown list",
  async (operation) => {
    expect(await send(operation, { params: NOBODY })).toMatchObject({
      status: 404,
      body: { code: "ACCOUNT_LISTS_NOT_FOUND" },
    });
  },
);

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
