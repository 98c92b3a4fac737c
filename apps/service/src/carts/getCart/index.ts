import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import { contactParams } from "../../contacts/contactShape.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { readCart } from "./handler.ts";
import { cartAnswer, cartExample, query } from "./schema.ts";

export function getCart(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
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
