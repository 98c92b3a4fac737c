import { usageError } from "../failure.ts";
import type { Resource } from "../requests/run.ts";
import { EVENT_COLUMNS } from "./eventFilters.ts";
import { between, filter, where } from "./filters.ts";

/** Carts are the contact's: every command names the contact first. */
const cart: Resource = {
  name: "cart",
  summary: "The cart of a contact.",
  leaves: [
    {
      usage: "get <contact>",
      summary: "Show the cart.",
      examples: ["headwater contacts cart get ada@example.com"],
      operation: "getCart",
    },
    {
      usage: "set <contact>",
      summary: "Replace the cart.",
      examples: ["headwater contacts cart set ada@example.com -f cart.json"],
      operation: "setCart",
      input: "needed",
    },
    {
      usage: "update <contact>",
      summary: "Change members of the cart.",
      examples: ["headwater contacts cart update ada@example.com --set url=https://shop.example.com/cart/C-1001"],
      operation: "updateCart",
      input: "needed",
    },
    {
      usage: "clear <contact>",
      summary: "Empty the cart.",
      examples: ["headwater contacts cart clear ada@example.com --yes"],
      operation: "clearCart",
      confirm: ([contact]) => `Empty the cart of ${contact}?`,
    },
    {
      usage: "add <contact>",
      summary: "Add a product to the cart.",
      examples: ["headwater contacts cart add ada@example.com -f line.json --set-json qty=2"],
      operation: "addCartitem",
      input: "needed",
    },
    {
      usage: "remove <contact> <product> <qty> [sku]",
      summary: "Remove a quantity of a product from the cart: from one SKU, or from its lines in order.",
      examples: [
        "headwater contacts cart remove ada@example.com 85123A 2",
        "headwater contacts cart remove ada@example.com 85123A 1 85123A-w",
      ],
      operation: "removeCartitem",
      operationFor: ({ length }) => (length > 3 ? "removeCartitemOfSku" : "removeCartitem"),
    },
  ],
};

export const contacts: Resource = {
  name: "contacts",
  summary: "Contacts: a contact is named by its cID, its address, or name:value such as customer_id:17850.",
  groups: [cart],
  leaves: [
    {
      usage: "get <contact>",
      summary: "Show one contact.",
      examples: ["headwater contacts get ada@example.com", "headwater contacts get customer_id:17850 --json"],
      operation: "getContact",
    },
    {
      usage: "search",
      summary: "List the contacts that match all filters.",
      examples: [
        "headwater contacts search --list vip --attribute country=GB",
        "headwater contacts search --modified-since 2026-01-09 --all -o ndjson > contacts.ndjson",
      ],
      operation: "listContacts",
      columns: ["cID", "channels.email.address", "channels.email.subscribeStatus", "createdAt", "lastModified"],
      options: [
        filter("--email <address>", "email", "with this address"),
        filter("--cid <cID>", "cID", "this one"),
        filter("--list <list>", "list", "on this list, by its name or id"),
        filter("--audience <key>", "audience-key", "in this saved audience"),
        where("--attribute <key=value>", "with this value; may be repeated", (key) => `attributes[${key}]`),
        filter("--modified-since <time>", "lastModified[gte]", "changed at or after"),
        filter("--modified-until <time>", "lastModified[lt]", "changed before"),
      ],
    },
    {
      usage: "upsert",
      summary: "Create a contact, or update the existing one.",
      examples: [
        "headwater contacts upsert --set channels.email.address=ada@example.com --set attributes.country=GB",
        "headwater contacts upsert -f contact.json",
      ],
      operation: "createContact",
      input: "needed",
    },
    {
      usage: "update <contact>",
      summary: "Change members of a contact. Absent members stay, null removes one.",
      examples: [
        "headwater contacts update ada@example.com --set attributes.country=FR",
        "headwater contacts update ada@example.com --set-json lists.vip=false",
      ],
      operation: "updateContact",
      input: "needed",
    },
    {
      usage: "delete <contact>",
      summary:
        "Erase a contact and everything stored about it. Reads stop returning it at once; a job removes the stored data.",
      examples: ["headwater contacts delete ada@example.com --yes --wait"],
      operation: "deleteContact",
      confirm: ([contact]) => `Erase the contact ${contact} and everything stored about it?`,
    },
    {
      usage: "eligible <contact> <channel>",
      summary: "Say whether the contact would get a message in the channel now, and every reason why not.",
      examples: [
        "headwater contacts eligible ada@example.com email",
        "headwater contacts eligible customer_id:17850 sms --classification transactional --json",
      ],
      operation: "getContacteligibility",
      query: ([, channel]) => ({ channel }),
      options: [filter("--classification <kind>", "classification", "promotional (default) or transactional")],
    },
    {
      usage: "unsubscribe <contact> <channel>",
      summary: "Unsubscribe a contact from a channel.",
      examples: ["headwater contacts unsubscribe ada@example.com email"],
      operation: "unsubscribeContact",
      options: [filter("--mcid <mcID>", "mcID", "the message that it is an answer to")],
    },
    {
      usage: "merge <source> <destination>",
      summary: "Merge two contacts in a job. The destination survives; split undoes a merge.",
      examples: [
        "headwater contacts merge customer_id:17851 customer_id:17850 --yes --wait",
        "headwater contacts merge a@example.com b@example.com --set options.attributes=sourceContact",
      ],
      operation: "mergeContacts",
      input: "optional",
      defaults: () => ({ options: {} }),
      body: ([sourceContact, destinationContact]) => ({ sourceContact, destinationContact }),
      confirm: ([source, destination]) => `Merge ${source} into ${destination}?`,
    },
    {
      usage: "split <contact> <channels...>",
      summary: "Split channels off a contact, undoing the merge that brought them.",
      examples: ["headwater contacts split customer_id:17850 email"],
      operation: "splitContact",
      body: ([primaryKey, ...channelNames]) => ({ primaryKey, channelNames }),
    },
    {
      usage: "timeline <contact>",
      summary: "List the activities of a contact, the latest first. Name the contact by its cID or address.",
      examples: ["headwater contacts timeline ada@example.com", "headwater contacts timeline 65f0c0ffee65f0c0ffee0001"],
      operation: "listContactactivities",
      columns: EVENT_COLUMNS,
      query: ([contact = ""]) => cidOrEmail(contact),
      options: [filter("--action <name>", "action", "events of this name"), ...between("time", "that happened")],
    },
    {
      usage: "history <contact>",
      summary: "List the changes of a contact, the latest first: time, record, old and new value.",
      examples: ["headwater contacts history ada@example.com --json"],
      operation: "listContacthistory",
      columns: ["at", "by.kind", "by.id", "changes"],
    },
  ],
};

/** Events are found by these two alone. */
function cidOrEmail(contact: string) {
  const [, cID] = /^(?:cID:)?([0-9a-f]{24})$/i.exec(contact) ?? [];
  if (cID !== undefined) return { cID };
  const [, email] = /^(?:email:)?([^:]*@.*)$/.exec(contact) ?? [];
  if (email !== undefined) return { email };
  throw usageError(`${contact} is neither a cID nor an address: headwater contacts get ${contact} shows the cID.`);
}
