import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createContact } from "./routes/createContact.ts";
import { deleteContact } from "./routes/deleteContact.ts";
import { getContact } from "./routes/getContact.ts";
import { listContacthistory } from "./routes/listContacthistory.ts";
import { mergeContacts } from "./routes/mergeContacts.ts";
import { splitContact } from "./routes/splitContact.ts";
import { updateContact } from "./routes/updateContact.ts";

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
