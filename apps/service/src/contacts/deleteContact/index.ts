import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { contactParams } from "../contactShape.ts";
import { eraseOneContact } from "./handler.ts";
import { deleteAnswer, deleteExample } from "./schema.ts";

export function deleteContact(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/contacts/{primary_key}",
    operationId: "deleteContact",
    summary: "Erases a contact with all that is its own.",
    description:
      "It is gone at once for reads; with the receipt of the header `Headwater-Receipt` as `after` for counts and searches as well. The job removes what is stored of it in refused records, kept answers, files, activities and history. Records of before that come late do not bring it back; later ones make a new contact. Kafka forgets by retention, within 7 days.",
    tags: ["contacts"],
    answers: {
      200: { description: "The contact is gone.", schema: deleteAnswer, example: deleteExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: there is no contact with this key." },
    },
    scope: "contacts:write",
    params: contactParams,
    handler: ({ params, once }) => eraseOneContact(params.primary_key, once, ports),
  });
}
