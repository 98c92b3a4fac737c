export { addContactsToList } from "./addContactsToList/addContactsToList.ts";
export { removeContactsFromList } from "./removeContactsFromList/removeContactsFromList.ts";
