import { addContactsToList } from "./addContactsToList/addContactsToList.ts";
import { addProductsToCart } from "./addProductsToCart/addProductsToCart.ts";
import { clearList } from "./clearList/clearList.ts";
import { createContactactivities } from "./createContactactivities/createContactactivities.ts";
import { importContact } from "./importContact/importContact.ts";
import { importOrder } from "./importOrder/importOrder.ts";
import { mergeContacts } from "./mergeContacts/mergeContacts.ts";
import type { InternalOperation, LoggedOperation, Operation } from "./operation.ts";
import { removeContactsFromList } from "./removeContactsFromList/removeContactsFromList.ts";
import { removeProductsFromCart } from "./removeProductsFromCart/removeProductsFromCart.ts";
import { setAside } from "./setAside/setAside.ts";
import { setOrderStatus } from "./setOrderStatus/setOrderStatus.ts";
import { upsertContact } from "./upsertContact/upsertContact.ts";
import { upsertOrder } from "./upsertOrder/upsertOrder.ts";
import { upsertSupplementsRecords } from "./upsertSupplementsRecords/upsertSupplementsRecords.ts";

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

/** Operations without a route: pushes of partners and rows of imports become their records. */
const internalOperations = [
  mergeContacts,
  setOrderStatus,
  clearList,
  importContact,
  importOrder,
] as const satisfies readonly InternalOperation[];

/** Operations whose bodies are validated: those that a push may be mapped onto. */
export const validatedOperations: readonly InternalOperation[] = [...operations, ...internalOperations];

/** All that may stand in the log. */
export const loggedOperations: readonly LoggedOperation[] = [...validatedOperations, setAside];
