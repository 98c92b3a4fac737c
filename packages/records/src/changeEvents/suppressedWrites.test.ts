import { readChangeEvent, suppressesTriggers } from "@headwater/contracts";
import { serveService } from "@headwater/service/testService";
import { beforeEach, describe, expect, test } from "vitest";

/** The routes themselves are tested in the folders of their nouns. */
const service = serveService([]);
const { send } = service;
const ADA = { primary_key: "email:ada@example.com" };

const clear = async () => void (await service.postgres.execute({ text: "DELETE FROM outbox" }));
beforeEach(async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  await clear();
});

/** Returns the last change event of a topic: whether it suppresses triggers, and whether it says so itself. */
async function lastChange(topic: string) {
  const text = "SELECT payload FROM outbox WHERE topic = $1 ORDER BY position DESC LIMIT 1";
  const [row] = await service.postgres.query<{ payload: string }>({ text }, [topic]);
  const change = readChangeEvent(topic, row === undefined ? undefined : JSON.parse(row.payload).changes.at(-1));
  if (change === undefined || change.kind === "contact" || change.kind === "record") throw new Error("no change event");
  return { isSuppressed: suppressesTriggers(change.value), isSaid: "suppressTriggers" in change.value };
}

let written = 0;
const line = (qty: number) => ({ productID: "p", sku: "s", category: "c", name: "n", qty });
const items = [{ productID: "p", sku: "s", name: "n" }];
const newOrder = (more: object) => {
  const order = { orderID: `o${++written}`, purchaseDate: "2026-01-09T22:47:12Z", email: "ada@example.com", items };
  return send("createOrder", { body: { ...order, ...more } });
};

/** Operations of `/v2`, each changing one thing, with the topic of its change event and its default. */
const writes: readonly (readonly [string, string, boolean, (more: object) => Promise<{ status: number }>])[] = [
  [
    "createContact",
    "changes.memberships",
    true,
    (more) => {
      const channels = { email: { address: `new${++written}@example.com` } };
      return send("createContact", { body: { channels, lists: ["vip"], ...more } });
    },
  ],
  [
    "updateContact",
    "changes.memberships",
    true,
    (more) => send("updateContact", { params: ADA, body: { lists: [`list${++written}`], ...more } }),
  ],
  ["createOrder", "changes.orders", false, newOrder],
  [
    "updateOrder",
    "changes.orders",
    false,
    async (more) => {
      await newOrder({});
      await clear();
      return send("updateOrder", { params: { id: `o${written}` }, body: { status: "shipped", ...more } });
    },
  ],
  [
    "setCart",
    "changes.carts",
    false,
    (more) => send("setCart", { params: ADA, body: { cartitems: [line(++written)], ...more } }),
  ],
  [
    "updateCart",
    "changes.carts",
    false,
    (more) => send("updateCart", { params: ADA, body: { cartitems: [line(++written)], ...more } }),
  ],
  [
    "addCartitem",
    "changes.carts",
    false,
    (more) => send("addCartitem", { params: ADA, body: { ...line(1), ...more } }),
  ],
];

describe.each(writes)("%s", (_operation, topic, byDefault, write) => {
  test("says in its change event whether it may start an automation, as its body says or by default", async () => {
    for (const [more, isSuppressed] of [
      [{}, byDefault],
      [{ suppressTriggers: true }, true],
      [{ suppressTriggers: false }, false],
    ] as const) {
      expect((await write(more)).status).toBeLessThan(300);
      expect(await lastChange(topic)).toEqual({ isSuppressed, isSaid: isSuppressed });
      await clear();
    }
  });
});

test("suppressTriggers is not stored with what was written", async () => {
  await send("setCart", { params: ADA, body: { cartitems: [line(1)], suppressTriggers: true } });
  await send("addCartitem", { params: ADA, body: { ...line(1), suppressTriggers: true } });
  await newOrder({ suppressTriggers: true });
  const answers = [
    await send("getCart", { params: ADA }),
    await send("getContact", { params: ADA }),
    await send("getOrder", { params: { id: `o${written}` } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("suppressTriggers");
  }
});
