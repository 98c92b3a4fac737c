import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { listContacthistory } from "./listContacthistory/index.ts";
import { createContact } from "./routes/createContact.ts";
import { deleteContact } from "./routes/deleteContact.ts";
import { downloadContactprofile } from "./routes/downloadContactprofile.ts";
import { getContact } from "./routes/getContact.ts";
import { listContacts } from "./routes/listContacts.ts";
import { mergeContacts } from "./routes/mergeContacts.ts";
import { unsubscribeContact } from "./routes/unsubscribeContact.ts";
import { updateContact } from "./routes/updateContact.ts";
import { splitContact } from "./splitContact/index.ts";

export function contactRoutes(
  ports: AfterPorts &
    Pick<
      RoutePorts,
      | "attributeRules"
      | "canMail"
      | "clickHouse"
      | "cursors"
      | "freshness"
      | "aliasRevisions"
      | "seenNames"
      | "outbound"
      | "storages"
      | "postgres"
      | "producer"
      | "queue"
      | "sealer"
    >,
): Route[] {
  return [
    listContacts(ports),
    createContact(ports),
    getContact(ports),
    updateContact(ports),
    deleteContact(ports),
    unsubscribeContact(ports),
    listContacthistory(ports),
    mergeContacts(ports),
    downloadContactprofile(ports),
    splitContact(ports),
  ];
}
