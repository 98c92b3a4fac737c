import type { AccountSettings } from "@headwater/contracts";
import type { Sliced } from "@headwater/kernel";
import type { MapContext } from "../../endpoint.ts";
import { firstPrimaryName, type Identities, noIdentities, readIdentities } from "../../identity.ts";
import { membershipParts } from "../../membership.ts";
import type { Part, PartnerList, Push } from "../../push.ts";
import { idText, isMembers } from "../../reading.ts";
import type { Body } from "./schema.ts";

/**
 * One page: contacts that come onto the segment's list and contacts that leave it, or the wish that nobody be on it. Pages may
 * arrive in any order. Emptying a list is one clear, however many are on it, and creates no list.
 */
export function* map(body: Body, { settings }: MapContext): Sliced<Push> {
  const { segment, sync_info: info } = body.data;
  const list: PartnerList = { externalId: idText(segment.id), name: idText(segment.name), isMade: true };
  const page = `${idText(info.sync_task_id)}\n${idText(info.page_number)}`;
  if (body.action_type === "segment.users.sync") return { page, parts: yield* syncParts(body, settings, list) };
  const path = "/data/segment";
  const drained = { kind: "item", path, operation: "clearList", body: {}, list: { ...list, isMade: false } } as const;
  // A task that empties the list and fills it again may count its pages from one for either.
  return { page: `${page}\ndrain`, parts: [drained] };
}

function* syncParts({ data, customer_config }: Body, settings: AccountSettings, list: PartnerList): Sliced<Part[]> {
  const { canBeCreated, identifier } = settings.partners.listsync;
  const name = mappedName(customer_config) ?? identifier ?? firstPrimaryName(settings);
  const identitiesOf = (contact: unknown): Identities => {
    if (!isMembers(contact)) return noIdentities;
    const { id, encoding } = contact;
    return readIdentities(settings, [[name, encoding === undefined ? id : { value: id, encoding }, "/id"]]);
  };
  const change = { canBeCreated, identitiesOf };
  const added = { ...change, operation: "addContactsToList", list, path: "/data/add" } as const;
  const removed = {
    ...change,
    operation: "removeContactsFromList",
    list: { ...list, isMade: false },
    path: "/data/remove",
  } as const;
  return [
    ...(yield* membershipParts(settings, { ...added, contacts: data.add ?? [] })),
    ...(yield* membershipParts(settings, { ...removed, contacts: data.remove ?? [] })),
  ];
}

function mappedName(config: Body["customer_config"]): string | undefined {
  const field = config?.fields.find(({ field_type: type }) => type === "identity_mapping");
  return field?.value?.id === undefined ? undefined : idText(field.value.id);
}
