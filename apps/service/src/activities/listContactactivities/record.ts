import { parseMcId, toTimestamp } from "@headwater/contracts";
import type { ActivityRow } from "./activityQuery.ts";
import { type LiveContact, memberOf } from "./contacts.ts";

export interface ActivityOf {
  readonly contact: LiveContact | undefined;
  readonly first: boolean;
  /** Members of the contact that are asked for. */
  readonly contactFields: readonly string[];
}

/** An activity as answers show it: the contact is the live one. */
export function activityRecord(row: ActivityRow, { contact, first, contactFields }: ActivityOf): object {
  const { record, action, at, mcId } = row;
  const geo = geoOf(row);
  const message = parseMcId(mcId)?.message;
  const email = contact?.identifiers.email ?? contact?.channels.email?.address;
  return {
    id: record,
    action,
    ...(contact && { cID: contact.cID }),
    ...(email !== undefined && { email }),
    time: toTimestamp(at),
    ...(mcId !== "" && { mcID: mcId }),
    ...(message !== undefined && { bmID: message }),
    first,
    properties: JSON.parse(row.properties),
    ...(geo && { geo }),
    ...(row.device !== "" && { device: JSON.parse(row.device) }),
    ...(contact && contactFields.length > 0 && { contactFields: fieldsOf(contact, contactFields) }),
  };
}

function geoOf({ city, country, lat, lon }: ActivityRow): object | undefined {
  const geo = {
    ...(city !== "" && { city }),
    ...(country !== "" && { country }),
    ...(lat !== null && lon !== null && { geoLoc: { lat, lon } }),
  };
  return Object.keys(geo).length > 0 ? geo : undefined;
}

function fieldsOf(contact: LiveContact, paths: readonly string[]): object {
  const members = paths.map((path) => [path, memberOf(contact, path)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
