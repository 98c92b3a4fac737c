import { serveService } from "@headwater/service/testService";
import { describe, expect, test } from "vitest";

const appended: string[] = [];
const producer = {
  append: async ({ topic, entries }: { readonly topic: string; readonly entries: readonly unknown[] }) => {
    appended.push(topic);
    return [{ topic, partition: 0, firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 0, count: entries.length }];
  },
};
const service = serveService(["contactactivities"], { producer });
const { send } = service;

test("createContactactivity answers 201 when the log has the activity", async () => {
  expect((await send("createContactactivity")).status).toBe(201);
  expect(appended).toEqual(["intake.records"]);
});

test("listContactactivities answers 200 with a page", async () => {
  expect(await send("listContactactivities")).toMatchObject({ status: 200, body: { data: [] } });
});

test("summarizeContactactivities lists actions with counts, times and properties, newest data first", async () => {
  const at = Date.UTC(2026, 0, 9);
  service.rows = (sql) => {
    if (sql.includes("groupUniqArray")) return [{ action: "browse", name: "price", types: ["number", "text"] }];
    return sql.includes("GROUP BY action ORDER BY count")
      ? [{ action: "browse", count: 2, first: at, last: at + 1 }]
      : [];
  };
  const { status, body } = await send("summarizeContactactivities", { query: "?from=2026-01-01" });
  service.rows = () => [];
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          ...{ action: "browse", count: 2, first: "2026-01-09T00:00:00.000Z", last: "2026-01-09T00:00:00.001Z" },
          properties: [{ name: "price", types: ["number", "text"] }],
        },
      ],
      truncated: false,
      asOf: expect.any(String),
    },
  ]);
  expect((await send("summarizeContactactivities", { query: "?from=yesterday" })).status).toBe(400);
});

test.each([{ action: "browse" }, { email: "ada@example.com" }])(
  "createContactactivity refuses %j with 422, and appends nothing",
  async (body) => {
    const before = appended.length;
    expect((await send("createContactactivity", { body })).status).toBe(422);
    expect(appended).toHaveLength(before);
  },
);

test("a reserved name is refused with its own code, and its place with one of the codes of details", async () => {
  const { status, body } = await send("createContactactivity", { body: { email: "ada@example.com", action: "open" } });
  expect([status, body.code]).toEqual([422, "RESERVED_ACTION"]);
  expect(body.details).toEqual([{ path: "/action", code: "not_allowed", message: "open is a reserved activity." }]);
});

describe("contactFields[] of listContactactivities", () => {
  const list = (...names: string[]) =>
    send("listContactactivities", { query: `?${names.map((name) => `contactFields[]=${name}`).join("&")}` });

  test.each(["email", "identifiers.customer_id", "lists", "cID", "createdAt", "channels.sms.address"])(
    "takes %s, which every account has",
    async (name) => {
      expect((await list(name)).status).toBe(200);
    },
  );

  test("takes attributes by key and by path, and parts of places", async () => {
    const home = { key: "home", name: "Home", type: "geo" };
    expect((await send("createAttribute", { body: home })).status).toBe(201);
    expect((await list("home", "attributes.home", "home.city", "attributes.home.country")).status).toBe(200);
  });

  test("refuses each unknown name with the nearest ones", async () => {
    await send("createAttribute", { body: { key: "color", name: "Color", type: "string" } });
    const { status, body } = await list("emial", "email", "attributes.colour", "lists.vip", "%00");
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    const named = body.details.map(({ allowed }: { allowed?: string[] }) => allowed?.[0]);
    expect(named).toEqual(["email", "attributes.color", "lists", undefined]);
  });
});
