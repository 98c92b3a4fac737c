import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";

const LISTS_MAX = 3;
const SCOPES = ["contacts:read", "contacts:write", "accountlists:read", "accountlists:write"];

let service: Running;
let key: string;
beforeAll(async () => {
  service = await startService();
  const limits = { readPerSecond: 1_000, writePerSecond: 1_000, listsPerContact: LISTS_MAX };
  const { account } = await service.account({ limits });
  key = await service.key(account, { scopes: SCOPES });
});
afterAll(() => service.stop());

const save = (address: string, lists: object, method: "POST" | "PUT" = "POST") => {
  const body = { ...(method === "POST" && { channels: { email: { address } } }), lists };
  return service.call(key, method === "POST" ? "/v2/contacts" : `/v2/contacts/email:${address}`, { method, body });
};
const listsOf = async (address: string) => {
  const { body } = await service.call(key, `/v2/contacts/email:${address}`);
  return body.lists?.toSorted();
};
const refused = {
  status: 422,
  body: { code: "CONTACT_LISTS_EXCEEDED", details: [{ path: "/lists", message: expect.stringContaining("3 lists") }] },
};

test("a write that puts a contact on more lists than the account allows is refused, and nothing of it is written", async () => {
  expect(await save("a@x.org", ["a", "b", "c"])).toMatchObject({ status: 201 });
  expect(await save("a@x.org", ["d"])).toMatchObject(refused);
  expect(await save("a@x.org", { d: true }, "PUT")).toMatchObject(refused);
  expect(await save("new@x.org", ["a", "b", "c", "d"])).toMatchObject(refused);
  expect(await listsOf("a@x.org")).toEqual(["a", "b", "c"]);
  expect(await listsOf("new@x.org")).toBeUndefined();
  const { body } = await service.call(key, "/v2/accountlists");
  expect(body.data.map(({ name }: { name: string }) => name)).not.toContain("d");
});

test("a write that takes a contact off as many lists as it comes onto, or says where it is already, is applied", async () => {
  expect(await save("a@x.org", { d: true, a: false })).toMatchObject({ status: 200 });
  expect(await save("a@x.org", ["b", "c", "d"])).toMatchObject({ status: 200 });
  expect(await save("a@x.org", { e: true, f: true, b: false })).toMatchObject(refused);
  expect(await listsOf("a@x.org")).toEqual(["b", "c", "d"]);
});

test("a contact is on fewer lists once one of them is cleared or deleted", async () => {
  const { body } = await service.call(key, "/v2/accountlists");
  const idOf = (name: string) => body.data.find((list: { name: string }) => list.name === name)?.id;
  expect(await save("a@x.org", ["a"])).toMatchObject(refused);
  const deleted = await service.call(key, `/v2/accountlists/${idOf("b")}`, { method: "DELETE" });
  expect(deleted.status).toBeLessThan(300);
  expect(await save("a@x.org", ["a"])).toMatchObject({ status: 200 });
  expect(await listsOf("a@x.org")).toEqual(["a", "c", "d"]);
});
