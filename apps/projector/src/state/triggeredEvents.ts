import { type MessageDataCondition, parseTime, recordConditions, toTimestamp } from "@headwater/contracts";
import type { Outcome } from "@headwater/domain";
import { fitsConditions } from "@headwater/domain/messageData";
import type { CreateContactactivitiesRecord } from "@headwater/operations";
import type { StateTransaction } from "@headwater/projection";
import type { EventTrigger, TriggeredEvent } from "@headwater/stores/triggers";
import { nestDotted } from "../sink/nestDotted.ts";
import { isActivity } from "./partitionState.ts";
import type { PlacedRecord } from "./placedRecord.ts";

/** An event trigger whose conditions were read. */
export type ReadTrigger = Omit<EventTrigger, "conditions"> & { readonly conditions: readonly MessageDataCondition[] };

const noTriggers: readonly ReadTrigger[] = [];

/**
 * Finds the triggers that activities of a batch may fit; a batch without activities asks for none. They are read in the batch's own
 * transaction: an activity that was sent after the answer to the call that enabled a trigger never misses it.
 */
export async function findTriggers(
  transaction: Pick<StateTransaction, "eventTriggers">,
  records: readonly PlacedRecord[],
): Promise<readonly ReadTrigger[]> {
  const accounts = new Set<number>();
  for (const { operation, account } of records) {
    if (operation.name === "createContactactivities") accounts.add(account.number);
  }
  if (accounts.size === 0) return noTriggers;
  const found = await transaction.eventTriggers(accounts);
  return found.map(({ conditions, ...trigger }) => ({ ...trigger, conditions: readConditions(conditions) }));
}

function readConditions(text: string): readonly MessageDataCondition[] {
  const given: unknown = JSON.parse(text);
  return recordConditions.parse(given);
}

/** Returns what templates are sent for: every activity that was applied and fits a trigger, once for each of them, unless its record suppresses triggers. */
export function toTriggeredEvents(
  records: readonly PlacedRecord[],
  outcomes: readonly Outcome[],
  triggers: readonly ReadTrigger[],
): TriggeredEvent[] {
  if (triggers.length === 0) return [];
  const byAction = Map.groupBy(triggers, ({ account, action }) => `${account}\n${action}`);
  return records.flatMap(({ account, record }, index) => {
    const outcome = outcomes[index];
    if (outcome?.kind !== "applied" || !isActivity(record) || record.suppressTriggers === true) return [];
    const listening = byAction.get(`${account.number}\n${record.event.name}`);
    if (listening === undefined) return [];
    const event = eventOf(record, account.settings.timezone);
    const recordId = record.redriveOf ?? record.id;
    return listening
      .filter(({ conditions }) => fitsConditions(event.properties, conditions))
      .map(({ mdtId }) => ({
        ...{ account: account.number, mdtId, recordId },
        ...{ contact: outcome.contact, event: JSON.stringify(event) },
      }));
  });
}

/** Returns an activity as Liquid reads it: as answers show it, without the members that say whose it is. */
function eventOf({ id, event }: CreateContactactivitiesRecord, timezone: string) {
  const { name: action, time, UID, properties = {}, geo, device } = event;
  return {
    ...{ id: UID ?? id, action, time: toTimestamp(parseTime(time, timezone) ?? 0) },
    properties: nestDotted(properties),
    ...(geo !== undefined && { geo }),
    ...(device !== undefined && { device }),
  };
}
