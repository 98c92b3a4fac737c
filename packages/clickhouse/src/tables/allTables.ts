export { activities } from "./activities.ts";
export { cartsCurrent, cartsHistory } from "./carts.ts";
export { confirmedMarks } from "./confirmedMarks.ts";
export { contactAliases, contactFieldsCurrent, contactFieldsHistory, contactsCurrent } from "./contacts.ts";
export { exportedContacts } from "./exportedContacts.ts";
export { membershipsCurrent, membershipsHistory } from "./memberships.ts";
export { ordersCurrent, ordersHistory } from "./orders.ts";
export { supplementRecordsCurrent, supplementRecordsHistory } from "./supplementRecords.ts";
