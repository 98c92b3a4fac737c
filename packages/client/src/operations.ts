import type { OperationName } from "./items.ts";

/** Most items of one batch, by operation. A test compares the table with the API. */
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
