export {
  countProducts,
  loadProducts,
  lockKnownProduct,
  lockProducts,
  type ProductKey,
  type ProductsPage,
  pageProducts,
  readProduct,
  type StoredProduct,
  saveProducts,
} from "./products.ts";
