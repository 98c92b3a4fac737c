import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { splitChannelsOff } from "./handler.ts";
import { body, requestExample, splitAnswer, splitExample } from "./schema.ts";

export function splitContact(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/split",
    operationId: "splitContact",
    summary: "Splits channels of a contact off into a contact of their own, undoing the merge that brought them.",
    description:
      "If a contact that was merged into this one had an address of every named channel, the latest such merge is undone: that contact is restored under its own cID with its identifiers, lists, orders and activities; this one gets back the values that the merge overwrote and keeps later writes. Otherwise the channels become a new contact. The header `Headwater-Receipt` can be passed to reads as `after`.",
    tags: ["contacts"],
    answers: {
      202: { description: "The channels now belong to another contact.", schema: splitAnswer, example: splitExample },
      403: { description: "FEATURE_NOT_ENABLED: merging is disabled for this account." },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    requestExample,
    scope: "contacts:write",
    ifMatch: true,
    body,
    handler: ({ body: request, once, header }) =>
      splitChannelsOff(once, { ...request, ifMatch: header("if-match") }, ports),
  });
}
