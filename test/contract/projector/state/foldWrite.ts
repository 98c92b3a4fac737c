import type { shapes } from "@headwater/contracts";
import type { FoldState } from "@headwater/domain";
import { setCart } from "@headwater/domain/cart";
import { type Contact, mergeAsAsked, type Origin, splitContact, writeContact } from "@headwater/domain/contact";
import { removeOrder } from "@headwater/domain/order";
import type { Finder, Write } from "./randomSteps.ts";

/** Folds like a route of `/v2`. A contact that nobody finds is not written. */
export function foldWrite(state: FoldState, write: Write, origin: Origin): void {
  const find = ({ name, value }: Finder): Contact | undefined => state.find({ name, value });
  switch (write.kind) {
    case "split": {
      const contact = find(write.of);
      if (contact !== undefined) splitContact(state, contact, write.channels, origin);
      return;
    }
    case "merge":
      merge(state, write, origin);
      return;
    case "contact":
      void writeContact(state, { contact: toWrite(write.contact), lists: write.lists }, origin);
      return;
    case "cart": {
      const contact = find(write.of);
      if (contact !== undefined) setCart(state, contact.number, write.request, origin);
      return;
    }
    case "removeOrder":
      void removeOrder(state, write.orderId, origin);
  }
}

function merge(
  state: FoldState,
  { from, into, options, orders }: Extract<Write, { kind: "merge" }>,
  origin: Origin,
): void {
  const [source, destination] = [state.find(from), state.find(into)];
  if (source === undefined || destination === undefined || source.number === destination.number) return;
  const own = orders.filter((orderId) => state.order(orderId)?.contact === source.number);
  mergeAsAsked(state, { source, destination, orders: own }, options, origin);
}

const toWrite = (contact: object): shapes.ContactWrite => ({ identifiers: {}, ...contact });
