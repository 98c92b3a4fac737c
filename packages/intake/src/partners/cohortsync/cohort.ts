import type { Sliced } from "@headwater/kernel";
import { z } from "zod";
import type { MapContext, PartnerAuth, PartnerStatuses } from "../endpoint.ts";
import {
  firstPrimaryName,
  type Identities,
  isIdentifierValue,
  knownIdentifiers,
  located,
  noIdentities,
  readIdentities,
} from "../identity.ts";
import { membershipParts } from "../membership.ts";
import type { Push } from "../push.ts";
import { id, idText, isMembers, listId } from "../reading.ts";

/** Body that both endpoints of the cohort tool share. Each contact holds one identifier, under the key its customer chose. */
export const cohortBody = z.looseObject({
  /** Empty: there is nothing to do. */
  contacts: z.array(z.unknown()),
  cohortId: listId,
  cohortName: id,
});
type CohortBody = z.infer<typeof cohortBody>;

export const cohortAuth: PartnerAuth = { kind: "apiKey" };
export const cohortStatuses: PartnerStatuses = {
  accepted: 202,
  badShape: 400,
  badJson: 400,
  wrongType: "UNSUPPORTED_MEDIA_TYPE",
};

export const cohortSample = {
  cohortId: "c7hfq2d",
  cohortName: "High Value Users",
  contacts: [{ email: "ann@example.com" }, { email: "bob@example.com" }, { customer_id: 4711 }],
};

export function* mapCohort(
  operation: "addContactsToList" | "removeContactsFromList",
  { contacts, cohortId, cohortName }: CohortBody,
  { settings }: MapContext,
): Sliced<Push> {
  const { canBeCreated, identifier } = settings.partners.cohortsync;
  const wanted = identifier ?? firstPrimaryName(settings);
  const identitiesOf = (contact: unknown): Identities => {
    if (!isMembers(contact)) return noIdentities;
    const value = contact[wanted];
    if (value !== undefined) {
      const own = readIdentities(settings, located([[wanted, value]]));
      if (Object.keys(own.identifiers).length > 0) return own;
    }
    const known = knownIdentifiers(settings, contact);
    const isNamed = Object.keys(known.identifiers).length > 0 || known.refused.length > 0;
    return isNamed ? known : readIdentities(settings, soleMember(contact, identifier));
  };
  const list = {
    externalId: idText(cohortId),
    name: idText(cohortName),
    isMade: operation === "addContactsToList",
  };
  return {
    parts: yield* membershipParts(settings, {
      operation,
      list,
      path: "/contacts",
      contacts,
      canBeCreated,
      identitiesOf,
    }),
  };
}

/** One identifier under a key that the account does not know: what the setting says it is, else a name of its own. */
function soleMember(contact: Readonly<Record<string, unknown>>, identifier: string | undefined) {
  const [first, ...others] = Object.entries(contact);
  if (first === undefined || others.length > 0 || !isIdentifierValue(first[1])) return [];
  return located([[identifier ?? first[0], first[1]]]);
}
