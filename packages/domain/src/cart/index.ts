export { type Cart, type CartAccess, type CartRow, fromCartRow, toCartDocument } from "./cart.ts";
export { type CartView, viewCart } from "./cartView.ts";
export { addProducts, cartOf, cartReads, emptyCartOfOrder, removeProducts, writeCart } from "./changeCart.ts";
export { type CartRequest, setCart } from "./setCart.ts";
