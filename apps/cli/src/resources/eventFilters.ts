import { filter } from "./filters.ts";

export const EVENT_COLUMNS = ["time", "action", "email", "cID", "properties"];

/** Filters of events, for lists and for what `tail` follows. */
export const eventFilters = [
  filter("--action <name>", "action", "of this name"),
  filter("--email <address>", "email", "of the contact with this address"),
  filter("--cid <cID>", "cID", "of this contact"),
];
