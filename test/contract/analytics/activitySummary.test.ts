import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, startService, storedTime } from "../service/running.ts";
import { AT } from "../service/seed.ts";

const DAY_MS = 86_400_000;
let service: Running;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test("a summary counts each activity of the account once, with first, last and the types of its properties", async () => {
  const { account, key } = await service.account();
  const { account: other } = await service.account();
  const activity = (action: string, day: number, properties: object) => ({
    ...{
      contact: 1,
      action,
      time: storedTime(AT + day * DAY_MS),
      uid: `${action} ${day}`,
      record: `${action}:${day}:0`,
    },
    ...{ mc_id: "", device: "", properties: JSON.stringify(properties) },
  });
  const browsed = [
    activity("browse", 0, { price: 5, old: true }),
    activity("browse", 30, { price: "5", tags: ["a"], size: { w: 1 }, none: null }),
    activity("browse", 31, { price: 7.5, sold: false, "a.b": "x" }),
  ];
  await service.insert("activities", account, [...browsed, activity("signup", 3, {})]);
  await service.insert("activities", account, [activity("browse", 31, { price: 7.5, sold: false, "a.b": "x" })]);
  await service.insert("activities", other, [activity("theirs", 1, { secret: 1 })]);
  const { status, body } = await service.call(key, "/v2/contactactivities/summary");
  const at = (day: number) => new Date(AT + day * DAY_MS).toISOString();
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          ...{ action: "browse", count: 3, first: at(0), last: at(31) },
          properties: [
            { name: "price", types: ["number", "text"] },
            { name: "a.b", types: ["text"] },
            { name: "sold", types: ["boolean"] },
            { name: "none", types: ["null"] },
            { name: "size", types: ["object"] },
            { name: "tags", types: ["array"] },
          ],
        },
        { action: "signup", count: 1, first: at(3), last: at(3), properties: [] },
      ],
      truncated: false,
      asOf: expect.any(String),
    },
  ]);
  const query = `?from=${at(29)}&to=${at(31)}`;
  const bounded = await service.call(key, `/v2/contactactivities/summary${query}`);
  expect(bounded.body.data).toMatchObject([{ action: "browse", count: 1, first: at(30), last: at(30) }]);
});
