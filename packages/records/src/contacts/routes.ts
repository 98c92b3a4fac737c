import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { listContacthistory } from "./listContacthistory/listContacthistory.ts";
import { createContact } from "./routes/createContact.ts";
import { deleteContact } from "./routes/deleteContact.ts";
import { getContact } from "./routes/getContact.ts";
import { mergeContacts } from "./routes/mergeContacts.ts";
import { updateContact } from "./routes/updateContact.ts";
import { splitContact } from "./splitContact/splitContact.ts";

export function contactRoutes(
  ports: AfterPorts &
    Pick<
      RoutePorts,
      | "attributeRules"
      | "canMail"
      | "clickHouse"
      | "cursors"
      | "freshness"
      | "outbound"
      | "storages"
      | "postgres"
      | "producer"
      | "queue"
      | "sealer"
    >,
): Route[] {
  return [
    createContact(ports),
    getContact(ports),
    updateContact(ports),
    deleteContact(ports),
    listContacthistory(ports),
    mergeContacts(ports),
    splitContact(ports),
  ];
}
