import { type AccountSettings, checkFreeForm, parseTime, shapes } from "@headwater/contracts";
import { checkContact, oldestEventMs } from "@headwater/records/contacts/checkContact";
import type { Fault } from "../operation.ts";
import type { Body } from "./schema.ts";

const AHEAD_MS_MAX = 24 * 3_600_000;

/** @param nowMs the validator's clock, milliseconds since 1970. */
export function check(body: Body, settings: AccountSettings, nowMs: number): readonly Fault[] {
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
