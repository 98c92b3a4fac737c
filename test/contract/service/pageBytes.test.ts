import { afterAll, beforeAll, expect, test } from "vitest";
import { type Called, type Running, startService, storedTime } from "./running.ts";
import { AT, seedContacts, seedLists, seedOrders } from "./seed.ts";

/** Contacts of one account, each as large as an upsert may make it in one go. */
const CONTACTS = 60;
const CONTACT_BYTES = 240 * 1024;
const PAGE_BYTES_MAX = 4 * 1024 * 1024;
const PAGES_MAX = 20;

let service: Running;
let key: string;
let crowded: string;

beforeAll(async () => {
  service = await startService();
  const { postgres } = service;
  const large = await service.account();
  key = large.key;
  const text = "x".repeat(CONTACT_BYTES);
  const numbers = Array.from({ length: CONTACTS }, (_, index) => index + 1);
  await seedContacts(
    postgres,
    large.account,
    numbers.map((number) => ({ number, cid: number.toString(16).padStart(24, "0"), attributes: { text } })),
  );
  await seedOrders(
    postgres,
    large.account,
    numbers.map((number) => ({
      ...{ orderId: `o${number}`, contact: number, purchasedAt: number * 1_000 },
      members: { properties: { text } },
    })),
  );
  await service.insert(
    "activities",
    large.account,
    numbers.map((number) => ({
      ...{ contact: number, action: "browse", time: storedTime(AT + number * 1_000), uid: `u${number}` },
      ...{ record: `r:${number}:0`, mc_id: "", properties: JSON.stringify({ text }), device: "" },
    })),
  );
  const product = JSON.stringify({ members: { productName: [text, ""] } });
  const insertProduct =
    "INSERT INTO products (account, product_id, doc, created_at, modified_at) VALUES ($1, $2, $3, $4, $4)";
  for (const number of numbers) {
    await postgres.query({ text: insertProduct }, [large.account.number, `p${number}`, product, AT + number]);
  }
  const indexes = [
    { field: "n", type: "number" },
    { field: "parity", type: "number" },
  ];
  const writer = await service.key(large.account, { scopes: ["supplements:write"] });
  await service.call(writer, "/v2/supplements", { method: "POST", body: { key: "large", indexes } });
  for (const number of numbers) {
    const body = { id: `r${number}`, n: number, parity: number % 2, text };
    await service.call(writer, "/v2/supplements/large/records", { method: "POST", body });
  }
  const other = await service.account();
  crowded = other.key;
  const members = Array.from({ length: 25 }, (_, index) => 1_001 + index);
  await seedContacts(
    postgres,
    other.account,
    members.map((number) => ({ number, cid: number.toString(16).padStart(24, "0") })),
  );
  const lists = Array.from({ length: 1_000 }, (_, index) => [`list ${index}`, members] as const);
  await seedLists(postgres, other.account, Object.fromEntries(lists));
});

afterAll(() => service.stop());

/** Follows the cursors. @returns one member of all records, and the answers. */
async function walk(by: string, url: string, member: string) {
  const seen: unknown[] = [];
  const answers: Called[] = [];
  let next: string | undefined = url;
  while (next !== undefined && answers.length < PAGES_MAX) {
    const answer = await service.call(by, next);
    expect(answer.status).toBe(200);
    seen.push(...answer.body.data.map((record: Record<string, unknown>) => record[member]));
    answers.push(answer);
    next = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
  }
  return { seen, answers };
}

test.each([
  { url: "/v2/contacts?per_page=500", member: "cID" },
  { url: "/v2/contacts?per_page=500&sort_dir=desc", member: "cID" },
  { url: "/v2/orders?per_page=500", member: "orderID" },
  { url: "/v2/orders?per_page=500&sort_by=orderID&sort_dir=asc", member: "orderID" },
  { url: "/v2/products?per_page=500", member: "productID" },
  { url: "/v2/contactactivities?per_page=500", member: "id" },
  { url: "/v2/contactactivities?per_page=500&sort_dir=asc", member: "id" },
  { url: "/v2/supplements/large/records?per_page=500", member: "id" },
  { url: "/v2/supplements/large/records?per_page=500&sort_by=n", member: "id" },
])("$url ends at 4 MiB of records, and its cursors lead to every record once", async ({ url, member }) => {
  const { seen, answers } = await walk(key, url, member);
  expect([seen.length, new Set(seen).size]).toEqual([CONTACTS, CONTACTS]);
  expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(PAGE_BYTES_MAX + 64 * 1024);
  expect(answers.length).toBe(Math.ceil(CONTACTS / Math.floor(PAGE_BYTES_MAX / CONTACT_BYTES)));
});

test("activities with fields of their contacts end at 4 MiB of both", async () => {
  const url = "/v2/contactactivities?per_page=500&contactFields[]=text&contactFields[]=lists";
  const { seen, answers } = await walk(key, url, "id");
  expect([seen.length, new Set(seen).size]).toEqual([CONTACTS, CONTACTS]);
  expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(PAGE_BYTES_MAX + 64 * 1024);
  const [first] = answers[0]?.body.data ?? [];
  expect([first.contactFields.text.length, first.contactFields.lists]).toEqual([CONTACT_BYTES, []]);
});

test.each(["asc", "desc"])(
  "filtered records end at 4 MiB, and their cursors lead to each record once, %sending",
  async (direction) => {
    const url = `/v2/supplements/large/records?per_page=500&n[gt]=0&parity=1&sort_by=n&sort_dir=${direction}`;
    const { seen, answers } = await walk(key, url, "n");
    const odd = Array.from({ length: CONTACTS / 2 }, (_, index) => 2 * index + 1);
    expect(seen).toEqual(direction === "asc" ? odd : odd.toReversed());
    expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(PAGE_BYTES_MAX + 64 * 1024);
  },
);

const lists = ["contacts", "orders", "products", "contactactivities", "supplements/large/records"];
test.each(lists.map((list) => `/v2/${list}`))("%s refuses a numbered page that would end early", async (url) => {
  const refused = await service.call(key, `${url}?page=1&per_page=60`);
  expect([refused.status, refused.body.code, refused.body.details[0].code]).toEqual([
    422,
    "VALIDATION_ERROR",
    "use_cursor",
  ]);
  const second = await service.call(key, `${url}?page=2&per_page=10`);
  expect([second.status, second.body.data.length]).toEqual([200, 10]);
});

test("a page whose contacts are on many lists ends at 20,000 of them, and goes on behind it", async () => {
  for (const direction of ["asc", "desc"]) {
    const { seen, answers } = await walk(crowded, `/v2/contacts?sort_dir=${direction}`, "cID");
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
    expect(answers.map(({ body }) => body.data.length)).toEqual([20, 5]);
    for (const { body } of answers) for (const { lists } of body.data) expect(lists).toHaveLength(1_000);
  }
});
