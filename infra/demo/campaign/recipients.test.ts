import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseLines } from "../dataset/lines.ts";
import { RECIPIENTS, toRecipients } from "./runCampaign.ts";

const csv = gunzipSync(readFileSync(new URL("../data/online-retail-sample.csv.gz", import.meta.url))).toString();
const { lines } = parseLines(csv);

interface Contact {
  readonly identifiers: { readonly email: string };
  readonly attributes: {
    readonly last_order: string;
    readonly last_order_at: string;
    readonly last_order_total: number;
    readonly last_order_lines: number;
    readonly last_order_items: readonly string[];
    readonly channels: { readonly email: { readonly subscribeStatus: string } };
  };
}

const { emails, contacts, list } = toRecipients(lines);
const items: Contact[] = contacts.flatMap(({ body }) => JSON.parse(body).items);

test("the mail goes to 100 different customers, all of them subscribed and on its list", () => {
  expect(new Set(emails).size).toBe(RECIPIENTS);
  expect(items.map(({ identifiers }) => identifiers.email)).toEqual(emails);
  expect(new Set(items.map(({ attributes }) => attributes.channels.email.subscribeStatus))).toEqual(
    new Set(["subscribed"]),
  );
  const listed = list.flatMap(({ body }) => JSON.parse(body).items[0].identifiers);
  expect(listed).toEqual(emails.map((email) => ({ email })));
});

test("each has the last order that was no return, with its sum and at most five of its lines", () => {
  for (const { identifiers, attributes } of items) {
    const own = lines.filter(
      ({ customer, isReturn }) => `customer-${customer}@example.com` === identifiers.email && !isReturn,
    );
    const lastTime = own
      .map(({ time }) => time)
      .sort()
      .at(-1);
    expect(attributes.last_order_at).toBe(lastTime);
    const order = own.filter(({ invoice }) => invoice === attributes.last_order);
    expect(attributes.last_order_lines).toBe(order.length);
    expect(attributes.last_order_items).toHaveLength(Math.min(5, order.length));
    const pounds = order.reduce((sum, { price, quantity }) => sum + (Number(price) / 10_000) * quantity, 0);
    expect(attributes.last_order_total).toBeCloseTo(pounds, 6);
  }
});
