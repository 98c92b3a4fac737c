import { decimal4, flag, keyword, moment, nullable, string, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

const order = {
  account: uInt32,
  order_id: string,
  contact: uInt64,
  purchased_at: moment,
  status: keyword,
  /** Unset for orders that are cancelled, refunded and the like. */
  counts: flag,
  currency: keyword,
  total: nullable(decimal4),
  /** The order as `/v2` answers it. */
  document: string,
  deleted: flag,
  version: string,
};

/** Orders as they are now. */
export const ordersCurrent = defineTable({
  name: "orders_current",
  columns: { ...order, revision: uInt64 },
  computed: {
    /** The order's `mcID`; empty where it names no message. */
    mc_id: "String",
    /** The order's `msID`, where `mc_id` is empty. */
    ms_id: "String",
    message: "LowCardinality(String)",
    message_period: "LowCardinality(String)",
    message_type: "LowCardinality(String)",
  },
});

/** Orders from `at` on; of one version the greatest revision holds. */
export const ordersHistory = defineTable({
  name: "orders_history",
  columns: { ...order, at: moment, revision: uInt64 },
});
