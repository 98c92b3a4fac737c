export { addContactToList } from "./addContactToList/addContactToList.ts";
export { addProductToCart } from "./addProductToCart/addProductToCart.ts";
export { createContactactivity } from "./createContactactivity/createContactactivity.ts";
export { mergeContacts } from "./mergeContacts/mergeContacts.ts";
export { removeContactFromList } from "./removeContactFromList/removeContactFromList.ts";
export { removeProductFromCart } from "./removeProductFromCart/removeProductFromCart.ts";
export { upsertContact } from "./upsertContact/upsertContact.ts";
export { upsertOrder } from "./upsertOrder/upsertOrder.ts";
