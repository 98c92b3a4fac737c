export { addContactsToList } from "./addContactsToList/index.ts";
export { removeContactsFromList } from "./removeContactsFromList/index.ts";
