import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { unsubscribe } from "./handler.ts";
import { params, query } from "./schema.ts";

export function unsubscribeContact(ports: WritePorts & Pick<ServicePorts, "producer">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/contacts/{primary_key}/unsubscribe/{channel}",
    operationId: "unsubscribeContact",
    summary: "Unsubscribes a contact from a channel. Idempotent.",
    description:
      "The message that `mcID` names gets an `optout` activity with the channel; the receipt completes with that activity.",
    tags: ["contacts"],
    answers: {
      200: { description: "The contact is unsubscribed.", schema: successShape, example: successExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
      422: { description: "CONTACT_IDENTIFIERS_EXCEEDED, CONTACT_TOO_LARGE: the contact has no room for the channel." },
    },
    scope: "contacts:write",
    ifMatch: true,
    params,
    query,
    handler: ({ params: { primary_key, channel }, query: { mcID }, once, receivedAtMs, header }) =>
      unsubscribe(primary_key, { channel, mcID, once, receivedAtMs, ifMatch: header("if-match") }, ports),
  });
}
