import type { MapContext } from "../../endpoint.ts";
import { firstPrimaryName, type Identifiers, isIdentifierValue } from "../../identity.ts";
import { membershipParts } from "../../membership.ts";
import type { PartnerList, Push } from "../../push.ts";
import { idText, isMembers } from "../../reading.ts";
import type { Body } from "./schema.ts";

/** One page: contacts that come onto the segment's list and contacts that leave it. Pages may arrive in any order. */
export function map({ data, customer_config }: Body, { settings }: MapContext): Push {
  const { segment, sync_info: info } = data;
  const { canBeCreated, identifier } = settings.partners.listsync;
  const name = mappedName(customer_config) ?? identifier ?? firstPrimaryName(settings);
  const list: PartnerList = { externalId: idText(segment.id), name: idText(segment.name), isMade: true };
  const identifiersOf = (contact: unknown): Identifiers => {
    const value = isMembers(contact) ? contact.id : undefined;
    return isIdentifierValue(value) ? { [name]: value } : {};
  };
  const change = { canBeCreated, identifiersOf };
  const added = { ...change, operation: "addContactsToList", list, path: "/data/add" } as const;
  const removed = {
    ...change,
    operation: "removeContactsFromList",
    list: { ...list, isMade: false },
    path: "/data/remove",
  } as const;
  return {
    page: `${idText(info.sync_task_id)}\n${idText(info.page_number)}`,
    parts: [
      ...membershipParts(settings, { ...added, contacts: data.add ?? [] }),
      ...membershipParts(settings, { ...removed, contacts: data.remove ?? [] }),
    ],
  };
}

function mappedName(config: Body["customer_config"]): string | undefined {
  const field = config?.fields.find(({ field_type: type }) => type === "identity_mapping");
  return field?.value?.id === undefined ? undefined : idText(field.value.id);
}
