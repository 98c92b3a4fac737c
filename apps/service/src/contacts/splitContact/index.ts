import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { splitChannelsOff } from "./handler.ts";
import { body, requestExample, splitAnswer, splitExample } from "./schema.ts";

export function splitContact(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/split",
    operationId: "splitContact",
    summary: "Moves channels of a contact into one of its own; undoes the merge that brought them.",
    description:
      "When a contact that was merged into this one had an address of every channel that is named, the latest such merge is undone: that contact lives again under its own cID as it was, with its identifiers, lists, orders and activities; this one gets back what the merge overwrote, and keeps what was written since. Otherwise the channels become a new contact. The header `Headwater-Receipt` can be given to reads as `after`.",
    tags: ["contacts"],
    answers: {
      202: { description: "The channels belong to another contact now.", schema: splitAnswer, example: splitExample },
      403: { description: "FEATURE_NOT_ENABLED: the account has merging switched off." },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: there is no contact with this key." },
    },
    requestExample,
    scope: "contacts:write",
    body,
    handler: ({ body: request, once }) => splitChannelsOff(once, request, ports),
  });
}
