export { type CartKey, loadCarts, type StoredCart, upsertCarts } from "./carts.ts";
