export { fromOrderRow, type OrderRow, toOrderDocument, versionOfOrder } from "./orderDocument.ts";
export { type OrderDocument, type OrderView, showOrder, viewOrder, type WriteDecimal } from "./orderView.ts";
export { isDeletedOrder, writeOrderMembers } from "./orderWrite.ts";
export {
  createOrder,
  deleteOrder,
  existingOrder,
  type OrderRequest,
  type OrderWritten,
  orderReads,
  updateOrder,
} from "./writeOrder.ts";
