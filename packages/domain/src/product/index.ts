export { observationsOfCart, observationsOfOrder } from "./observations.ts";
export {
  declareMembers,
  emptyProduct,
  observeProduct,
  type Product,
  type ProductObservation,
  parseProduct,
  shownMembers as shownProductMembers,
  toProductDocument,
} from "./product.ts";
