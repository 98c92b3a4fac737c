import type { Account } from "@headwater/contracts";
import { insertJobRejections } from "@headwater/jobs/queue/jobRejections";
import { insertJob } from "@headwater/jobs/queue/jobs";
import { newJobId } from "@headwater/kernel";
import { includes } from "@headwater/messaging/includes/postgres";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { toCartDocument } from "@headwater/records/carts/cart";
import { upsertCarts } from "@headwater/records/carts/carts";
import { lockProducts } from "@headwater/records/products/postgres";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { seedDeadLetters } from "../intake/letters.ts";
import { AT, seedContacts, seedLists, seedOrders, versionAt } from "./seed.ts";

export const ADA = "65f0c0ffee65f0c0ffee0001";
export const BOB = "65f0c0ffee65f0c0ffee0002";
export const LATER = versionAt(AT + 1_000);

/** Seeds two of whatever the service lists, and a cart. @returns the id of a job with two rejections. */
export async function seedListed(postgres: Postgres, account: Account): Promise<string> {
  await seedContacts(postgres, account, [
    { number: 1, cid: ADA, identifiers: { email: "ada@x.org" } },
    { number: 2, cid: BOB, identifiers: { email: "bob@x.org" } },
  ]);
  await seedLists(postgres, account, { vip: [1, 2], news: [] });
  const orders = ["o1", "o2"].map((orderId) => ({ orderId, contact: 2, purchasedAt: AT }));
  await seedOrders(postgres, account, orders);
  const line = { productID: "p", sku: "s", qty: 1, members: {}, characters: 2 };
  const doc = toCartDocument({ contact: 2, version: LATER, members: {}, expiresAt: undefined, lines: [line] });
  await postgres.transaction((transaction) =>
    upsertCarts(transaction, [{ account: account.number, contact: 2, version: LATER, doc }], 1),
  );
  await seedDeadLetters(postgres, account, [{ recordId: "r1:0:0" }, { recordId: "r1:1:0" }]);
  for (const name of ["a", "b"]) await seedDefinitions(postgres, account.number, name);
  return seedJob(postgres, account.number);
}

async function seedDefinitions(postgres: Postgres, account: number, name: string): Promise<void> {
  const text = "INSERT INTO attribute_definitions (account, key, created_at) VALUES ($1, $2, $3)";
  await postgres.execute({ text }, [account, name, AT]);
  const table = { account, key: name, indexes: [{ field: "n", type: "number" }] as const, contactObject: false };
  await createSupplement(postgres, { ...table, autogenerateIDs: false, createdAt: AT });
  await postgres.transaction(async (transaction) => {
    const include = { content: name, name: null, description: null, tags: null };
    await includes.insert(transaction, { account, key: name }, include, AT);
    await lockProducts(transaction, [{ account, productId: name }], AT);
  });
}

async function seedJob(postgres: Postgres, account: number): Promise<string> {
  const id = newJobId();
  const created = { id, account, name: "ClearList", input: {}, totalItems: 2, metadata: {}, madeBy: "k" };
  await insertJob(postgres, { ...created, createdAt: AT });
  const rejections = [0, 1].map((index) => ({ index, code: "BAD", message: "no", path: null, record: {} }));
  await insertJobRejections(postgres, { job: id, account, at: AT }, rejections);
  return id;
}
