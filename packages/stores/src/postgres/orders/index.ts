export { countOrders, type OrderFilters, pageOrders, readOrder, type ShownOrder } from "./orderReads.ts";
export { insertOrders, loadOrders, lockOrders, type OrderKey, type StoredOrder, updateOrders } from "./orders.ts";
export { countOrdersOfContact, newestOrdersOf, orderIdsOfContact } from "./ordersOfContact.ts";
