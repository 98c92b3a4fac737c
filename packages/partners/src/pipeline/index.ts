export { addContactToList } from "./addContactToList/index.ts";
export { addProductToCart } from "./addProductToCart/index.ts";
export { createContactactivity } from "./createContactactivity/index.ts";
export { mergeContacts } from "./mergeContacts/index.ts";
export { removeContactFromList } from "./removeContactFromList/index.ts";
export { removeProductFromCart } from "./removeProductFromCart/index.ts";
export { upsertContact } from "./upsertContact/index.ts";
export { upsertOrder } from "./upsertOrder/index.ts";
