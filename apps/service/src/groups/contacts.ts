import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { addCartitem } from "../routes/addCartitem/index.ts";
import { clearCart } from "../routes/clearCart/index.ts";
import { createContact } from "../routes/createContact/index.ts";
import { deleteContact } from "../routes/deleteContact/index.ts";
import { downloadContactprofile } from "../routes/downloadContactprofile/index.ts";
import { getCart } from "../routes/getCart/index.ts";
import { getContact } from "../routes/getContact/index.ts";
import { listContacthistory } from "../routes/listContacthistory/index.ts";
import { listContacts } from "../routes/listContacts/index.ts";
import { mergeContacts } from "../routes/mergeContacts/index.ts";
import { removeCartitem, removeCartitemOfSku } from "../routes/removeCartitem/index.ts";
import { setCart } from "../routes/setCart/index.ts";
import { splitContact } from "../routes/splitContact/index.ts";
import { unsubscribeContact } from "../routes/unsubscribeContact/index.ts";
import { updateCart } from "../routes/updateCart/index.ts";
import { updateContact } from "../routes/updateContact/index.ts";

export function contactRoutes(ports: RoutePorts): Route[] {
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
    getCart(ports),
    setCart(ports),
    updateCart(ports),
    clearCart(ports),
    addCartitem(ports),
    removeCartitem(ports),
    removeCartitemOfSku(ports),
  ];
}
