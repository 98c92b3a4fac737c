import type { OperationName } from "./items.ts";

/** Items that one batch of an operation may hold, as the API sets it. A test compares the table with the operations there are. */
export const batchItemsMax: Readonly<Record<OperationName, number>> = {
  upsertContact: 1_000,
  createContactactivities: 1_000,
  addContactsToList: 1_000,
  removeContactsFromList: 1_000,
  addProductsToCart: 500,
  removeProductsFromCart: 500,
  upsertSupplementsRecords: 500,
  upsertOrder: 100,
};

/** The API's bound on one item, as JSON. */
export const ITEM_BYTES_MAX = 256 * 1024;
/** The API's bound on a batch, before compression. */
export const BATCH_BYTES_MAX = 10 * 1024 * 1024;
