import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";

let service: Running;
const SCOPES = { scopes: ["contacts:write"] };

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const email = (address: string) => ({ channels: { email: { address } } });

test("POST /v2/contacts of a strict account names each attribute and list that is not there", async () => {
  const { account: strict } = await service.account({ strictAttributes: true, strictLists: true });
  const by = await service.key(strict, SCOPES);
  const post = (body: object) => service.call(by, "/v2/contacts", { method: "POST", body });
  const refused = await post({ ...email("s@x.org"), attributes: { one: 1, two: 2 } });
  expect([refused.status, refused.body.code]).toEqual([422, "UNKNOWN_ATTRIBUTE"]);
  expect(refused.body.details.map(({ path }: { path: string }) => path)).toEqual([
    "/attributes/one",
    "/attributes/two",
  ]);
  const listsAt = async (lists: object) => {
    const { body } = await post({ ...email("s@x.org"), lists });
    return [body.code, ...body.details.map(({ path }: { path: string }) => path)];
  };
  expect(await listsAt({ nope: true, no: false, never: true })).toEqual([
    ...["ACCOUNT_LISTS_NOT_FOUND", "/lists/nope", "/lists/never"],
  ]);
  expect(await listsAt(["nope", "never"])).toEqual(["ACCOUNT_LISTS_NOT_FOUND", "/lists/0", "/lists/1"]);
  expect((await post({ ...email("s@x.org"), lists: { nope: false } })).status).toBe(201);
});
