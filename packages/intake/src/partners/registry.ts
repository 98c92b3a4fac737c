import * as cdpsync from "./cdpsync/index.ts";
import * as cohortsync from "./cohortsync/index.ts";
import type { PartnerEndpoint } from "./endpoint.ts";
import * as listsync from "./listsync/index.ts";
import * as pipeline from "./pipeline/index.ts";
import * as subscriptionsync from "./subscriptionsync/index.ts";

/** Every endpoint of every partner. A test compares it with the folders. */
export const partnerEndpoints: readonly PartnerEndpoint[] = [
  cohortsync.addContactsToList,
  cohortsync.removeContactsFromList,
  listsync.listMembership,
  cdpsync.moduleRegistration,
  cdpsync.eventProcessing,
  cdpsync.audienceMembershipChange,
  cdpsync.audienceSubscription,
  subscriptionsync.subscription,
  pipeline.createContactactivity,
  pipeline.upsertContact,
  pipeline.addContactToList,
  pipeline.removeContactFromList,
  pipeline.addProductToCart,
  pipeline.removeProductFromCart,
  pipeline.upsertOrder,
  pipeline.mergeContacts,
];
