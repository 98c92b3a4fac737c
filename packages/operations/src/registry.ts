import { addContactsToList } from "./addContactsToList/index.ts";
import { addProductsToCart } from "./addProductsToCart/index.ts";
import { createContactactivities } from "./createContactactivities/index.ts";
import type { Operation } from "./operation.ts";
import { removeContactsFromList } from "./removeContactsFromList/index.ts";
import { removeProductsFromCart } from "./removeProductsFromCart/index.ts";
import { upsertContact } from "./upsertContact/index.ts";
import { upsertOrder } from "./upsertOrder/index.ts";
import { upsertSupplementsRecords } from "./upsertSupplementsRecords/index.ts";

/** Every operation of intake: one line each. A test compares it with the folders. */
export const operations = [
  upsertContact,
  createContactactivities,
  addContactsToList,
  removeContactsFromList,
  addProductsToCart,
  removeProductsFromCart,
  upsertSupplementsRecords,
  upsertOrder,
] as const satisfies readonly Operation[];
