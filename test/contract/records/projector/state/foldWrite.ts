import type { shapes } from "@headwater/contracts";
import { setCart } from "@headwater/records/carts/setCart";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { mergeAsAsked } from "@headwater/records/contacts/mergeAsAsked";
import type { Contact } from "@headwater/records/contacts/model";
import { splitContact } from "@headwater/records/contacts/splitContact";
import { writeContact } from "@headwater/records/contacts/writeContact";
import { type FoldResult, noChangeEvents } from "@headwater/records/fold/foldEvents";
import type { FoldState } from "@headwater/records/fold/foldState";
import { deleteOrder } from "@headwater/records/orders/writeOrder";
import type { Finder, Write } from "./randomSteps.ts";

const nothing: FoldResult = { changeEvents: noChangeEvents };

/** Folds like a route of `/v2`. A contact that nobody finds is not written. */
export function foldWrite(state: FoldState, write: Write, origin: Origin): FoldResult {
  const find = ({ name, value }: Finder): Contact | undefined => state.find({ name, value });
  switch (write.kind) {
    case "split": {
      const contact = find(write.of);
      return contact === undefined ? nothing : eventsOf(splitContact(state, contact, write.channels, origin));
    }
    case "merge":
      return merge(state, write, origin);
    case "contact":
      return eventsOf(writeContact(state, { contact: toWrite(write.contact), lists: write.lists }, origin));
    case "cart": {
      const contact = find(write.of);
      return contact === undefined ? nothing : setCart(state, contact.number, write.request, origin);
    }
    case "removeOrder":
      return eventsOf(deleteOrder(state, write.orderId, origin));
  }
}

function eventsOf(written: object | FoldResult): FoldResult {
  return "changeEvents" in written ? written : nothing;
}

function merge(
  state: FoldState,
  { from, into, options, orders }: Extract<Write, { kind: "merge" }>,
  origin: Origin,
): FoldResult {
  const [source, destination] = [state.find(from), state.find(into)];
  if (source === undefined || destination === undefined || source.number === destination.number) return nothing;
  const own = orders.filter((orderId) => state.order(orderId)?.contact === source.number);
  return mergeAsAsked(state, { source, destination, orders: own }, options, origin);
}

const toWrite = (contact: object): shapes.ContactWrite => ({ identifiers: {}, ...contact });
