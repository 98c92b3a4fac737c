import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { createContact } from "./createContact/index.ts";
import { deleteContact } from "./deleteContact/index.ts";
import { downloadContactprofile } from "./downloadContactprofile/index.ts";
import { getContact } from "./getContact/index.ts";
import { listContacthistory } from "./listContacthistory/index.ts";
import { listContacts } from "./listContacts/index.ts";
import { mergeContacts } from "./mergeContacts/index.ts";
import { splitContact } from "./splitContact/index.ts";
import { unsubscribeContact } from "./unsubscribeContact/index.ts";
import { updateContact } from "./updateContact/index.ts";

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
