import { z } from "zod";
import type { MapContext, PartnerAuth, PartnerStatuses } from "../endpoint.ts";
import { firstPrimaryName, type Identifiers, isIdentifierValue, knownIdentifiers } from "../identity.ts";
import { membershipParts } from "../membership.ts";
import type { Push } from "../push.ts";
import { id, idText, isMembers, listId } from "../reading.ts";

/** What both endpoints of the cohort tool share. Each contact holds one identifier, under the key its customer chose. */
export const cohortBody = z.looseObject({
  contacts: z.array(z.unknown()).min(1),
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

export function mapCohort(
  operation: "addContactsToList" | "removeContactsFromList",
  { contacts, cohortId, cohortName }: CohortBody,
  { settings }: MapContext,
): Push {
  const { canBeCreated, identifier } = settings.partners.cohortsync;
  const wanted = identifier ?? firstPrimaryName(settings);
  const identifiersOf = (contact: unknown): Identifiers => {
    if (!isMembers(contact)) return {};
    const value = contact[wanted];
    if (isIdentifierValue(value)) return { [wanted]: value };
    const known = knownIdentifiers(settings, contact);
    return Object.keys(known).length > 0 ? known : soleMember(contact, identifier);
  };
  const list = {
    externalId: idText(cohortId),
    name: idText(cohortName),
    isMade: operation === "addContactsToList",
  };
  return {
    parts: membershipParts(settings, { operation, list, path: "/contacts", contacts, canBeCreated, identifiersOf }),
  };
}

/** One identifier under a key that the account does not know: what the setting says it is, else a name of its own. */
function soleMember(contact: Readonly<Record<string, unknown>>, identifier: string | undefined): Identifiers {
  const [first, ...others] = Object.entries(contact);
  if (first === undefined || others.length > 0 || !isIdentifierValue(first[1])) return {};
  return { [identifier ?? first[0]]: first[1] };
}
