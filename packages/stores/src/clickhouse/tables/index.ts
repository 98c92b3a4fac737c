import { activities } from "./activities.ts";
import { cartsCurrent, cartsHistory } from "./carts.ts";
import { contactAliases, contactFieldsCurrent, contactFieldsHistory, contactsCurrent } from "./contacts.ts";
import { exportedContacts } from "./exportedContacts.ts";
import { membershipsCurrent, membershipsHistory } from "./memberships.ts";
import { ordersCurrent, ordersHistory } from "./orders.ts";
import { supplementRecordsCurrent, supplementRecordsHistory } from "./supplementRecords.ts";

export {
  type Column,
  decimal4,
  enum8,
  flag,
  float64,
  keyword,
  moment,
  nullable,
  string,
  uInt8,
  uInt16,
  uInt32,
  uInt64,
} from "./columns.ts";
export { defineTable, type RowOf, type Table } from "./defineTable.ts";
export {
  activities,
  cartsCurrent,
  cartsHistory,
  contactAliases,
  contactFieldsCurrent,
  contactFieldsHistory,
  contactsCurrent,
  exportedContacts,
  membershipsCurrent,
  membershipsHistory,
  ordersCurrent,
  ordersHistory,
  supplementRecordsCurrent,
  supplementRecordsHistory,
};

/** Every table that the migrations make, but their own `schema_migrations`. */
export const clickHouseTables = [
  activities,
  cartsCurrent,
  cartsHistory,
  contactAliases,
  contactFieldsCurrent,
  contactFieldsHistory,
  contactsCurrent,
  exportedContacts,
  membershipsCurrent,
  membershipsHistory,
  ordersCurrent,
  ordersHistory,
  supplementRecordsCurrent,
  supplementRecordsHistory,
];
