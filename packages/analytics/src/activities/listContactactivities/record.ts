import { parseMcId, toTimestamp } from "@headwater/contracts";
import type { ActivityRow } from "./activityQuery.ts";
import type { LiveContact } from "./contacts.ts";

export interface ActivityOf {
  readonly contact: LiveContact | undefined;
  readonly first: boolean;
  /** True when members of the contact are asked for. */
  readonly hasFields: boolean;
}

/** An activity as answers show it: the contact is the live one. */
export function activityRecord(row: ActivityRow, { contact, first, hasFields }: ActivityOf): object {
  const { record, action, at, mcId } = row;
  const geo = geoOf(row);
  const message = parseMcId(mcId)?.message;
  const email = contact?.email;
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
    ...(contact && hasFields && { contactFields: contact.fields }),
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
