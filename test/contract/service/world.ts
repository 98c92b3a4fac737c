import { type Running, startService } from "./running.ts";
import { AT, seedContacts, seedLists, seedOrders, versionAt } from "./seed.ts";

export interface World {
  readonly service: Running;
  readonly mine: Awaited<ReturnType<Running["account"]>>;
  readonly other: Awaited<ReturnType<Running["account"]>>;
}

export const CID = "65f0c0ffee65f0c0ffee0001";
export const MERGED = "65f0c0ffee65f0c0ffee0002";
export const THEIRS = "65f0c0ffee65f0c0ffee0003";
const DAY = 86_400_000;

const first = {
  status: "paid",
  items: [
    { productID: "p", sku: "s", name: "n", qty: -3, itemPrice: "0.1" },
    { productID: "q", sku: "t", name: "m", itemPrice: 2.5, salePrice: 2 },
  ],
  discountApplication: { type: "fixed", amount: "0.3" },
  tax: 0.1,
};

/** A service with two accounts: mine has two live contacts, one merged, three lists and thirty orders; the other a little of each. */
export async function seedWorld(): Promise<World> {
  const service = await startService();
  const mine = await service.account({ timezone: "Europe/Berlin", currency: "EUR" });
  const other = await service.account();
  const { postgres } = service;
  const subscribed = { subscribed: versionAt(AT), address: { value: "Ada@Example.com", version: versionAt(AT) } };
  await seedContacts(postgres, mine.account, [
    {
      number: 1,
      cid: CID,
      identifiers: { email: "ada@example.com", customer_id: "17850", phone: "+4922812345" },
      attributes: { score: 12.5, tags: ["a"], gone: null, __proto__x: "kept" },
      channels: new Map([["email", subscribed]]),
    },
    { number: 2, cid: MERGED, identifiers: { anonymousId: "x1" }, mergedInto: 1 },
    { number: 4, cid: "65f0c0ffee65f0c0ffee0004", identifiers: { email: `${"c".repeat(24)}` } },
  ]);
  await seedContacts(postgres, other.account, [
    { number: 3, cid: THEIRS, identifiers: { email: "ada@example.com" }, attributes: { secret: "theirs" } },
  ]);
  await seedLists(postgres, mine.account, { vip: [1], "news-letter": [], Third: [1, 4] });
  await postgres.execute({ text: "UPDATE lists SET enhanced = true WHERE name = 'vip'" });
  await seedLists(postgres, other.account, { theirs: [3] });
  await seedOrders(
    postgres,
    mine.account,
    Array.from({ length: 30 }, (_, index) => ({
      orderId: `o${String(index).padStart(2, "0")}`,
      contact: index % 2 === 0 ? 1 : 4,
      purchasedAt: AT + Math.floor(index / 2) * DAY,
      members: index === 0 ? first : {},
    })),
  );
  await seedOrders(postgres, other.account, [{ orderId: "o00", contact: 3, purchasedAt: AT }]);
  return { service, mine, other };
}
