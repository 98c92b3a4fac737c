import { afterAll, beforeAll, expect, test } from "vitest";
import { cid } from "../analytics/analyticsWorld.ts";
import { type Running, startService, storedTime } from "../service/running.ts";
import { AT, seedContacts } from "../service/seed.ts";

let service: Running;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test("what a machine opened is not the first, and what a person opened after it is", async () => {
  const { account, key } = await service.account();
  await seedContacts(service.postgres, account, [{ number: 52, cid: cid(52) }]);
  const opened = (second: number, of: object) => ({
    ...{
      contact: 52,
      action: "open",
      time: storedTime(AT + second * 1_000),
      uid: `u${second}`,
      record: `r:${second}:0`,
    },
    ...{ mc_id: "acc:m1:b:c52:1", properties: "{}", device: "", ...of },
  });
  const robots = [opened(1, { device: '{"robot":true}' }), opened(2, { properties: '{"machine":true}' })];
  await service.insert("activities", account, [...robots, opened(3, {}), opened(4, {})]);
  const { body } = await service.call(key, "/v2/contactactivities?sort_dir=asc");
  expect(body.data.map(({ first }: { first: boolean }) => first)).toEqual([false, false, true, false]);
});

test("a contact has the activities of those merged into it as soon as Postgres has the merge", async () => {
  const { account, key } = await service.account();
  const contacts = [61, 62, 63].map((number) => ({
    number,
    cid: cid(number),
    ...(number === 62 && { mergedInto: 61 }),
  }));
  await seedContacts(service.postgres, account, contacts);
  const rows = contacts.map(({ number }) => ({
    ...{ contact: number, action: "open", time: storedTime(AT + number * 1_000), uid: `u${number}` },
    ...{ record: `r:${number}:0`, mc_id: "acc:m1:b:c:1", properties: "{}", device: "" },
  }));
  await service.insert("activities", account, rows);
  const { body } = await service.call(key, `/v2/contactactivities?cID=${cid(61)}&return_count=true`);
  const view = body.data.map((row: { id: string; cID: string; first: boolean }) => [row.id, row.cID, row.first]);
  expect(view).toEqual([
    ["r:62:0", cid(61), true],
    ["r:61:0", cid(61), true],
  ]);
  expect(body.pagination.total).toBe(2);
});
