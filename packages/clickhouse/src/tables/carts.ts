import { decimal4, flag, moment, nullable, string, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

const columns = {
  account: uInt32,
  contact: uInt64,
  cart_id: string,
  lines: uInt32,
  total: nullable(decimal4),
  /** Instant from which the cart reads as empty. */
  expires_at: nullable(moment),
  /** The cart with its items, as `/v2` answers it. */
  document: string,
  deleted: flag,
  version: string,
  at: moment,
  revision: uInt64,
};

/** Carts as they are now. */
export const cartsCurrent = defineTable({ name: "carts_current", columns });

/** Carts from `at` on; of one version the greatest revision holds. */
export const cartsHistory = defineTable({ name: "carts_history", columns });
