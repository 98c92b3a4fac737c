import type { Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { contactParams } from "../contactShape.ts";
import { eraseOneContact } from "./handler.ts";
import { deleteAnswer, deleteExample } from "./schema.ts";

export function deleteContact(ports: WritePorts & Pick<ServicePorts, "queue">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/contacts/{primary_key}",
    operationId: "deleteContact",
    summary: "Erases a contact and all of its data.",
    description:
      "Reads no longer return the contact; with the receipt of the header `Headwater-Receipt` as `after`, neither do counts and searches. The job removes its data from rejected records, stored responses, files, activities and history. Late or replayed records never resurrect an erased contact; newer ones create a new contact. Kafka deletes its records by retention, within 7 days.",
    tags: ["contacts"],
    answers: {
      200: { description: "The contact is erased.", schema: deleteAnswer, example: deleteExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    category: "System",
    ifMatch: true,
    params: contactParams,
    handler: ({ params, once, header }) =>
      eraseOneContact({ primaryKey: params.primary_key, once, ifMatch: header("if-match") }, ports),
  });
}
