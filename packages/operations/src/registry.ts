import { addContactsToList } from "./addContactsToList/index.ts";
import { addProductsToCart } from "./addProductsToCart/index.ts";
import { clearList } from "./clearList/index.ts";
import { createContactactivities } from "./createContactactivities/index.ts";
import { importContact } from "./importContact/index.ts";
import { importOrder } from "./importOrder/index.ts";
import { mergeContacts } from "./mergeContacts/index.ts";
import type { InternalOperation, LoggedOperation, Operation } from "./operation.ts";
import { removeContactsFromList } from "./removeContactsFromList/index.ts";
import { removeProductsFromCart } from "./removeProductsFromCart/index.ts";
import { setAside } from "./setAside/index.ts";
import { setOrderStatus } from "./setOrderStatus/index.ts";
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
