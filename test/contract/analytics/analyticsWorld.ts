import type { Account } from "@headwater/contracts";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { type Running, storedTime } from "../service/running.ts";
import { AT, seedContacts, seedLists, versionAt } from "../service/seed.ts";

const SECOND = 1_000;

export const cid = (number: number): string => number.toString(16).padStart(24, "0");

/** Contacts n+1 to n+3, of which n+2 was merged into n+1, in both stores; twelve activities, one of them twice. */
export async function seedAnalytics({ postgres, insert }: Running, account: Account, n: number): Promise<void> {
  await seedContacts(postgres, account, [
    { number: n + 1, cid: cid(n + 1), identifiers: { email: "ada@example.com" }, attributes: { color: "red" } },
    { number: n + 2, cid: cid(n + 2), mergedInto: n + 1 },
    { number: n + 3, cid: cid(n + 3), identifiers: { customer_id: "3" }, attributes: { color: "blue" } },
  ]);
  await ensureAttributes(postgres, [{ account: account.number, key: "color" }], AT);
  await seedLists(postgres, account, { vip: [n + 1] });
  const time = storedTime(AT);
  const present = { created_at: time, modified_at: time, version: versionAt(AT), deleted: 0, revision: 1 };
  await insert("contact_aliases", account, [{ contact: n + 2, survivor: n + 1, revision: 1 }]);
  await insert("contacts_current", account, [
    { contact: n + 1, cid: cid(n + 1), merged_into: 0, ...present },
    { contact: n + 2, cid: cid(n + 2), merged_into: n + 1, ...present, deleted: 1 },
    { contact: n + 3, cid: cid(n + 3), merged_into: 0, ...present },
  ]);
  const field = { kind: "string", number: null, version: versionAt(AT), revision: 1 };
  await insert("contact_fields_current", account, [
    { contact: n + 1, field: "attributes.color", text: "red", ...field },
    { contact: n + 3, field: "attributes.color", text: "blue", ...field },
    { contact: n + 1, field: "identifiers.email", text: "ada@example.com", ...field },
    { contact: n + 3, field: "channels.whatsapp.subscribeStatus", text: "subscribed", ...field },
  ]);
  await insert("memberships_current", account, [
    { list: 1, contact: n + 1, present: 1, joined_at: time, version: versionAt(AT), revision: 1 },
  ]);
  const activities = Array.from({ length: 12 }, (_, index) => ({
    contact: n + 1 + (index % 3),
    action: index % 2 === 0 ? "browse" : "open",
    time: storedTime(AT + Math.floor(index / 2) * SECOND),
    ingested: time,
    uid: `u${index}`,
    record: `r:${index}:0`,
    mc_id: index % 4 === 1 ? "acc:m1:batch:1:1" : "",
    properties: JSON.stringify({ index, category: "Shoes" }),
    geo_city: index === 0 ? "Bonn" : "",
    device: index === 0 ? '{"type":"Mobile"}' : "",
  }));
  await insert("activities", account, activities);
  // ReplacingMergeTree folds repeats some time later: until then the same row stands in two parts.
  await insert("activities", account, activities.slice(10));
}
