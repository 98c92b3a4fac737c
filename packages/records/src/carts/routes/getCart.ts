import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { contactParams } from "../../contacts/contactShape.ts";
import { findContact, readPrimaryKey } from "../../contacts/findContact.ts";
import type { RoutePorts } from "../../ports.ts";
import { cartRecord } from "../../views/cartView.ts";
import { fromCartRow } from "../cart.ts";
import { cartLineExample } from "../cartBody.ts";
import { loadCarts, type StoredCart } from "../carts.ts";

const query = z.strictObject(afterQuery);

const text = z.string().optional();
const amount = z.number().optional();
const freeForm = z.record(z.string(), z.unknown()).optional();

/** `totalAmount` is absent when a line has no price. */
const cartAnswer = z.strictObject({
  cartID: text,
  customerID: text,
  mcID: text,
  linkID: text,
  url: text,
  expiration: text,
  tax: amount,
  items: z.array(
    z.strictObject({
      productID: z.string(),
      sku: z.string(),
      qty: z.number().int(),
      category: text,
      name: text,
      description: text,
      itemPrice: amount,
      amount,
      url: text,
      images: z.array(z.string()).optional(),
      properties: freeForm,
      attr: freeForm,
    }),
  ),
  totalAmount: amount,
  updatedAt: text,
});

const cartExample = {
  cartID: "C-1001",
  items: [{ ...cartLineExample, amount: 15.3 }],
  totalAmount: 15.3,
  updatedAt: "2026-01-09T22:47:12.000Z",
};

/** Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
async function readCart(
  primaryKey: string,
  account: Account,
  { postgres, clock }: Pick<RoutePorts, "postgres" | "clock">,
): Promise<Answer> {
  const row = await withSnapshot(postgres, (session) => findCart(session, primaryKey, account));
  return { status: 200, body: cartRecord(row && fromCartRow(row.contact, row), clock.nowMs()) };
}

async function findCart(session: Session, primaryKey: string, account: Account): Promise<StoredCart | undefined> {
  const contact = await findContact(session, account, readPrimaryKey(primaryKey, account));
  if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  const [row] = await loadCarts(session, [{ account: account.number, contact: contact.number }]);
  return row;
}

export function getCart(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}/cart",
    operationId: "getCart",
    summary: "Returns the cart of a contact, without items when it is empty or has expired.",
    tags: ["contacts"],
    answers: {
      200: { description: "The cart.", schema: cartAnswer, example: cartExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    params: contactParams,
    query,
    handler: async ({ params: { primary_key }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readCart(primary_key, caller.account, ports);
    },
  });
}
