import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { addProductsToCart } from "./addProductsToCart.ts";
import type { Body } from "./schema.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

function system() {
  const state = new MemoryState();
  let offset = 0;
  return (body: Body) => {
    offset++;
    const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, ...body };
    return state.apply(account, [{ operation: addProductsToCart, record, version }])[0];
  };
}

const identifiers = { email: "a@x" };
const product = (sku: number) => ({ productID: "p", sku: String(sku), category: "c", name: "n", qty: 1 });
const products = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => product(from + index));

test("the cart of a contact that is not there waits for it, unless the record may make one", () => {
  const send = system();
  const unknown = { kind: "rejected", code: "CONTACTS_CONTACT_NOT_FOUND", path: "/contact/identifiers" };
  expect(send({ contact: { identifiers }, products: [product(1)] })).toMatchObject(unknown);
  const contact = { identifiers, attributes: { a: 1 }, canBeCreated: true };
  expect(send({ contact, products: [product(1)] })).toMatchObject({ kind: "applied" });
  expect(send({ contact: { identifiers }, products: [product(1)] })).toMatchObject({ kind: "applied" });
});

test("a full cart takes what fits and says what it left; with no room for anything the record is skipped", () => {
  const send = system();
  const contact = { identifiers, attributes: { a: 1 }, canBeCreated: true };
  send({ contact, products: products(0, 500) });
  expect(send({ contact: { identifiers }, products: products(500, 1_001) })).toMatchObject({
    kind: "applied",
    warnings: new Set(["CART_FULL"]),
  });
  expect(send({ contact: { identifiers }, products: [product(2_000)] })).toMatchObject({
    kind: "skipped",
    code: "CART_FULL",
  });
  expect(send({ contact: { identifiers }, products: [product(7)] })).toMatchObject({ kind: "applied" });
});
