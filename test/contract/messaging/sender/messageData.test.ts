import { type Account, messageData } from "@headwater/contracts";
import { messageLimits } from "@headwater/messaging/limits";
import { messageDataOf } from "@headwater/messaging/messageData/messageDataOf";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { createRenderView } from "@headwater/messaging/tracker/view/renderView";
import type { TrackingToken } from "@headwater/messaging/tracking/trackingToken";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import type { Session } from "@headwater/postgres/connection/session";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../batchMessages/messageWorld.ts";
import { cidOf } from "../batchMessages/sendWorld.ts";
import { email, problems, template } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, receipt } from "./batchWorld.ts";

const TEMPLATES = "/v2/automationtemplates";
const trackingUrl = "https://t.example.com";
/** Shows each source in one line. */
const HTML = `<p>cart {% for line in data.basket %}{{ line.productID }}x{{ line.qty }} {{ line.amount | money }} {% endfor %}|
last {{ data.last[0].orderID }} of {{ data.last[0].purchaseDate | date: '%Y' }}|paid {% for one in data.paid %}{{ one.orderID }} {% endfor %}|
products {% for one in data.cheap %}{{ one.productName }} {{ one.price }} {% endfor %}|
cars {% for one in data.cars %}{{ one.id }} {% endfor %}|towns {% for one in data.towns %}{{ one.id }} {% endfor %}</p>`;
const DATA = [
  { name: "basket", source: "cart", sort: "productID" },
  { name: "last", source: "orders", limit: 1 },
  { name: "paid", source: "orders", where: [{ field: "status", op: "eq", value: "paid" }], sort: "totalAmount" },
  { name: "cheap", source: "products", where: [{ field: "price", op: "lt", value: 5 }], sort: "-price", limit: 2 },
  { name: "cars", source: "supplement", key: "cars", where: [{ field: "year", op: "gte", value: 2000 }] },
  { name: "towns", source: "supplement", key: "towns", limit: 2 },
];
const LINES: Readonly<Record<number, string>> = {
  1: "cart p1x2 €5.10 p2x1 €9.00 |last o13 of 2026|paid o12 o11 |products Mug 4.5 Pen 1 |cars c1-new |towns basel bern",
  2: "cart |last o21 of 2025|paid |products Mug 4.5 Pen 1 |cars |towns basel bern",
  3: "cart |last of |paid |products Mug 4.5 Pen 1 |cars |towns basel bern",
};
const message = (data: unknown = DATA, html = HTML) => ({ ...email(html, { replyEmail: "a@example.com" }), data });
const lineOf = (html = "") =>
  html
    .replaceAll(/<[^>]+>|\n/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

let world: BatchWorld;
beforeAll(async () => {
  world = await batchWorld();
  await world.join([1, 2, 3]);
  await must("POST", "/v2/products", [
    ...[
      ["p1", "Mug", 4.5],
      ["p2", "Pot", 9],
      ["p3", "Pen", 1],
      ["p4", "Pin", 0.5],
    ].map(([productID, productName, price]) => ({
      ...{ productID, productName, price },
    })),
  ]);
  await must("POST", `/v2/contacts/${cidOf(1)}/cart`, {
    cartitems: [
      { productID: "p2", itemPrice: 9 },
      { productID: "p1", itemPrice: 2.55, qty: 2 },
    ].map((line) => ({
      ...{ sku: line.productID, name: "x", category: "x", ...line },
    })),
  });
  const orders = [
    ["o11", 1, "2026-01-01", 30, "paid"],
    ["o12", 1, "2026-01-02", 4, "paid"],
    ["o13", 1, "2026-01-03", 7, "open"],
    ["o21", 2, "2025-05-01", 7, "open"],
  ] as const;
  for (const [orderID, contact, day, price, status] of orders) {
    const items = [{ productID: "p1", sku: "p1", name: "Mug", itemPrice: price, qty: 1 }];
    await must("POST", "/v2/orders", { orderID, cID: cidOf(contact), purchaseDate: `${day}T10:00:00Z`, status, items });
  }
  await must("POST", "/v2/supplements", { key: "cars", contactObject: true, indexes: [] });
  await must("POST", "/v2/supplements", { key: "towns", contactObject: false, indexes: [] });
  for (const [id, year] of [
    ["c1-old", 1990],
    ["c1-new", 2020],
  ]) {
    await must("POST", "/v2/supplements/cars/records", { id, email: "c1@example.com", year });
  }
  for (const id of ["chur", "bern", "basel"]) await must("POST", "/v2/supplements/towns/records", { id });
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

async function must(method: "POST" | "PUT", url: string, body: object) {
  const { status, text } = await world.call(method, url, body);
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`);
}
const displayed = () =>
  Object.fromEntries(
    world.mails.map(({ mcId, content }) => [Number(mcId.split(":").at(-2)?.slice(-4)), lineOf(content["text/html"])]),
  );

describe("the records that a message names", () => {
  test("are those of each contact in a batch, frozen with it, and in the view of each mail", async () => {
    const id = await world.make({ ...receipt, message: message(DATA, `${HTML}<a href="{{ links.view }}">v</a>`) });
    expect((await world.see(id)).message.data).toMatchObject(DATA);
    // The relay and the consumers of the change topics, which do not run here, have passed on what was written.
    await world.sql("DELETE FROM outbox");
    await world.put(id, "send");
    await world.work(id);
    await world.sendAll();
    await world.work(id);
    const withView = Object.fromEntries(Object.entries(LINES).map(([contact, line]) => [contact, `${line} v`]));
    expect(displayed()).toEqual(withView);
    const renders = createRenderer();
    const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
    const session = world.service.postgres;
    const view = createRenderView({ session, renders, tokens, trackingUrl, nowMs: Date.now });
    for (const mail of world.mails) {
      const token = tokens.open(/\/t\/v\/([\w-]+)/.exec(mail.content["text/html"] ?? "")?.[1] ?? "", ["view"]);
      expect(lineOf((await view(named(token)))?.["text/html"])).toBe(lineOf(mail.content["text/html"]));
    }
    await renders.close();
  });

  test("are there in every render route, in sends of templates and in tests", async () => {
    const id = await world.make({ ...receipt, message: message() });
    await must("POST", TEMPLATES, template("orders", message(), { classification: "transactional" }));
    const urls = [
      `${ROOT}/${id}/renderedwip`,
      `${TEMPLATES}/orders/renderpublished`,
      `${TEMPLATES}/orders/renderdraft`,
    ];
    for (const url of urls) {
      const { status, body } = await world.call("GET", `${url}/${cidOf(1)}`);
      expect([status, lineOf(body.content?.["text/html"])]).toEqual([200, LINES[1]]);
    }
    const to = [{ email: "c1@example.com" }, { email: "c2@example.com" }];
    await must("POST", `${TEMPLATES}/orders/send`, { to });
    await must("PUT", `${ROOT}/${id}/sendtest`, { email: ["c3@example.com", "nobody@example.com"] });
    await world.sendAll();
    expect(displayed()).toEqual({ ...LINES, 0: LINES[3] });
  });

  test("of a contact that was merged are those of the survivor, and those that it brought", async () => {
    await world.join([7, 8]);
    await must("POST", "/v2/supplements/cars/records", { id: "c8", email: "c8@example.com", year: 2021 });
    await world.sql("UPDATE contacts SET merged_into = 7 WHERE number = 8");
    const { body } = await world.call("GET", `${TEMPLATES}/orders/renderpublished/${cidOf(7)}`);
    expect(lineOf(body.content["text/html"])).toContain("cars c8 |towns");
  });

  test("take a statement a source, however many contacts there are", async () => {
    const { account, service } = world;
    const sources = messageData.parse(DATA);
    const counting = (contacts: readonly number[]) => countStatements(service.postgres, account, { sources, contacts });
    expect([await counting([1]), await counting([1, 2, 3])]).toEqual([8, 8]);
  });
});

describe("what cannot be loaded", () => {
  test.each<[string, unknown, string]>([
    ["a name twice", [DATA[0], { name: "basket", source: "orders" }], "/message/data/1/name bad_value"],
    ["a name that Liquid cannot read", [{ name: "my orders", source: "orders" }], "/message/data/0/name"],
    ["__proto__", [{ name: "__proto__", source: "orders" }], "/message/data/0/name"],
    ["another source", [{ name: "a", source: "files" }], "/message/data/0/source"],
    ["a table without its key", [{ name: "a", source: "supplement" }], "/message/data/0/key"],
    ["a key beside orders", [{ name: "a", source: "orders", key: "x" }], "/message/data/0"],
    ["no such table", [{ name: "a", source: "supplement", key: "none" }], "/message/data/0/key unknown_reference"],
    [
      "another operator",
      [{ name: "a", source: "cart", where: [{ field: "x", op: "near", value: 1 }] }],
      "/message/data/0/where/0",
    ],
    [
      "no list of values",
      [{ name: "a", source: "cart", where: [{ field: "x", op: "in", value: 1 }] }],
      "/message/data/0/where/0",
    ],
    ["51 records", [{ name: "a", source: "cart", limit: 51 }], "/message/data/0/limit"],
    ["11 sources", Array.from({ length: 11 }, (_, n) => ({ name: `a${n}`, source: "cart" })), "/message/data"],
  ])("is refused at save: %s", async (_what, data, problem) => {
    const answers = [
      await world.call("POST", ROOT, { channel: "email", classification: "transactional", message: message(data) }),
      await world.call("POST", TEMPLATES, template("refused", message(data))),
    ];
    for (const answer of answers) {
      const [status, code, ...details] = problems(answer);
      expect([status, code]).toEqual([422, "VALIDATION_ERROR"]);
      expect(details.some((one) => String(one).startsWith(problem))).toBe(true);
    }
  });

  test("at the bounds is taken", async () => {
    const ten = Array.from({ length: 10 }, (_, n) => ({ name: `a${n}`, source: "cart", limit: 50 }));
    const created = await world.call("POST", TEMPLATES, template("full", message(ten)));
    expect(created.status).toBe(201);
  });

  test("is more than the context holds: refused by a render route, and the contact alone is skipped", async () => {
    const bytes = messageLimits.contextBytes / 2;
    const big = { field: "text", value: "x".repeat(bytes) };
    await world.join([5, 6]);
    for (const n of [1, 2])
      await must("POST", "/v2/supplements/cars/records", { id: `big${n}`, email: "c5@example.com", text: big.value });
    const data = [{ name: "cars", source: "supplement", key: "cars" }];
    await must(
      "POST",
      TEMPLATES,
      template("big", message(data, "<p>{{ data.cars[0].id }}</p>"), { classification: "transactional" }),
    );
    const { status, body } = await world.call("GET", `${TEMPLATES}/big/renderpublished/${cidOf(5)}`);
    expect([status, body.details[0]]).toMatchObject([422, { path: "/message/data", code: "render_failed" }]);
    await must("POST", `${TEMPLATES}/big/send`, { to: [5, 6].map((n) => ({ email: `c${n}@example.com` })) });
    await world.sendAll();
    expect(world.mails.map(({ address }) => address)).toEqual(["c6@example.com"]);
    const sends = await world.call("GET", `${TEMPLATES}/big/sends?state=skipped`);
    expect(sends.body.data).toMatchObject([{ cID: cidOf(5), reason: "render-failed" }]);
  });
});

test("conditions that compare too much are refused by a render route, and the contact alone is skipped", async () => {
  await world.join([9, 10]);
  const text = "x".repeat(120_000);
  for (const n of [1, 2, 3, 4])
    await must("POST", "/v2/supplements/cars/records", { id: `dear${n}`, email: "c9@example.com", text });
  const where = Array.from({ length: 20 }, (_, n) => ({
    field: "text",
    op: "notContains",
    value: `${"x".repeat(900)}${n}`,
  }));
  const data = [{ name: "cars", source: "supplement", key: "cars", where }];
  await must(
    "POST",
    TEMPLATES,
    template("dear", message(data, "<p>{{ data.cars[0].id }}</p>"), { classification: "transactional" }),
  );
  const { status, body } = await world.call("GET", `${TEMPLATES}/dear/renderpublished/${cidOf(9)}`);
  expect([status, body.details[0]]).toMatchObject([422, { path: "/message/data", code: "render_failed" }]);
  expect(body.details[0].message).toContain("The conditions of the data compare more than");
  const before = world.mails.length;
  await must("POST", `${TEMPLATES}/dear/send`, { to: [9, 10].map((n) => ({ email: `c${n}@example.com` })) });
  await world.sendAll();
  expect(world.mails.slice(before).map(({ address }) => address)).toEqual(["c10@example.com"]);
});

test("large records are read for a part of a group at a time, and every contact has its own", async () => {
  const numbers = Array.from({ length: 40 }, (_, n) => 20 + n);
  await world.join(numbers);
  for (const n of numbers)
    await must("POST", "/v2/supplements/cars/records", { id: `own${n}`, email: `c${n}@example.com`, year: n });
  const sources = messageData.parse([{ name: "cars", source: "supplement", key: "cars" }]);
  const asked = { account: world.account, contacts: numbers, nowMs: Date.now(), bytesMax: 1_000_000 };
  const dataOf = await messageDataOf(world.service.postgres, sources, asked);
  const ids = numbers.map((n) => {
    const data = dataOf(n);
    return data.kind === "loaded" ? data.data.cars?.map((car) => Reflect.get(car, "id")) : data;
  });
  expect(ids).toEqual(numbers.map((n) => [`own${n}`]));
});

function named(token: TrackingToken | undefined) {
  if (token?.names === undefined) throw new Error("the mail has no link to its view");
  return { ...token, names: token.names };
}

async function countStatements(
  session: Session,
  account: Account,
  {
    sources,
    contacts,
  }: { readonly sources: ReturnType<typeof messageData.parse>; readonly contacts: readonly number[] },
): Promise<number> {
  let statements = 0;
  const counted: Session = {
    ...session,
    query: (statement, values) => {
      statements += 1;
      return session.query(statement, values);
    },
  };
  await messageDataOf(counted, sources, { account, contacts, nowMs: Date.now(), bytesMax: 1_000_000 });
  return statements;
}
