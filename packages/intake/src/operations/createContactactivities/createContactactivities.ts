import { type AccountSettings, checkFreeForm, parseTime, shapes } from "@headwater/contracts";
import { checkContact, oldestEventMs } from "@headwater/records/contacts/checkContact";
import { changesChannel } from "@headwater/records/contacts/messageEvents";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineOperation, type Fault, sentMembers } from "../operation.ts";
import { soleIdentifier } from "../soleIdentifier.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

const AHEAD_MS_MAX = 24 * 3_600_000;

export const createContactactivities = defineOperation({
  name: "createContactactivities",
  summary: "Records activities of one contact.",
  batchItemsMax: 1000,
  body,
  record,
  sample: {
    contact: { identifiers: { email: "ann@example.com" }, attributes: { first_name: "Ann" }, canBeCreated: true },
    contactactivities: [
      { name: "browse", time: "2026-01-09T22:47:12Z", UID: "session-1-view-1", properties: { category: "Shoes" } },
    ],
  },
  check,
  split,
  itemOf: ({ contact, event, ...record }) => ({ ...sentMembers(record), contact, contactactivities: [event] }),
  reads: ({ contact, event }, origin) => {
    const sole = changesChannel(event) ? undefined : soleIdentifier(contact, origin);
    if (sole !== undefined) return { identifiers: [sole], members: false };
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true };
  },
  fold,
});

function split({ contact, contactactivities }: Body) {
  const { identifiers, identifiersPriority } = contact;
  const reference = identifiersPriority === undefined ? { identifiers } : { identifiers, identifiersPriority };
  return contactactivities.map((event, index) => ({
    contact,
    members: { contact: index === 0 ? contact : reference, event },
  }));
}

/** @param nowMs the validator's clock, milliseconds since 1970. */
function check(body: Body, settings: AccountSettings, nowMs: number): readonly Fault[] {
  const details: Fault[] = checkContact(body.contact, "/contact");
  body.contactactivities.forEach((event, index) => {
    checkEvent(event, { at: `/contactactivities/${index}`, settings, nowMs, details });
  });
  return details;
}

interface EventCheck {
  readonly at: string;
  readonly settings: AccountSettings;
  readonly nowMs: number;
  readonly details: Fault[];
}

function checkEvent(event: shapes.EventWrite, { at, settings, nowMs, details }: EventCheck): void {
  if (shapes.reservedActions.has(event.name)) {
    const message = `${event.name} is a reserved activity.`;
    details.push({ path: `${at}/name`, code: "not_allowed", message, itemCode: "RESERVED_ACTION" });
  }
  const time = parseTime(event.time, settings.timezone) ?? 0;
  if (time < oldestEventMs(settings, nowMs) || time > nowMs + AHEAD_MS_MAX) {
    const message = "`time` must be after 1970, within the account's retention and at most 24 hours in the future.";
    details.push({ path: `${at}/time`, code: "out_of_range", message });
  }
  if (event.properties !== undefined) checkProperties(event.properties, at, details);
}

function checkProperties(properties: Record<string, unknown>, at: string, details: Fault[]): void {
  if (Object.keys(properties).length > shapes.bounds.propertiesPerEvent) {
    details.push({
      path: `${at}/properties`,
      code: "too_many",
      message: "An activity can have at most 1,000 properties.",
    });
  }
  details.push(...checkFreeForm({ properties }, at));
}
