import * as cohortsync from "./cohortsync/index.ts";
import type { PartnerEndpoint } from "./endpoint.ts";

/** Every endpoint of every partner. A test compares it with the folders. */
export const partnerEndpoints: readonly PartnerEndpoint[] = [
  cohortsync.addContactsToList,
  cohortsync.removeContactsFromList,
];
