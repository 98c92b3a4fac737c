import { type MessageDataCondition, parseTime, recordConditions, toTimestamp } from "@headwater/contracts";
import type { Outcome } from "@headwater/records/fold/outcome";
import { ComparisonBudget, type ComparisonPot } from "@headwater/records/messageData/comparisonBudget";
import { fitsConditions } from "@headwater/records/messageData/selectRecords";
import type { CreateContactactivitiesRecord } from "../operations/createContactactivities/schema.ts";
import { suppressesTriggers } from "../operations/operation.ts";
import { nestDotted } from "../sink/nestDotted.ts";
import type { EventTrigger, TemplateId } from "../triggers/eventTriggers.ts";
import type { TriggeredEvent } from "../triggers/storedTriggeredEvents.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import { isActivity } from "./partitionState.ts";
import type { StateTransaction } from "./stateStore.ts";

/** An event trigger whose conditions were read. */
export type ReadTrigger = Omit<EventTrigger, "conditions"> & { readonly conditions: readonly MessageDataCondition[] };

const noTriggers: readonly ReadTrigger[] = [];

/**
 * Finds the triggers that activities of a batch may fit; a batch without activities asks for none. They are read in the batch's own
 * transaction: an activity that was sent after the answer to the call that enabled a trigger never misses it.
 */
export async function findTriggers(
  transaction: Pick<StateTransaction, "eventTriggers">,
  records: readonly LoggedRecord[],
): Promise<readonly ReadTrigger[]> {
  const accounts = new Set<number>();
  for (const { operation, account } of records) {
    if (operation.name === "createContactactivities") accounts.add(account.number);
  }
  if (accounts.size === 0) return noTriggers;
  const found = await transaction.eventTriggers(accounts);
  return found.map(({ conditions, ...trigger }) => ({ ...trigger, conditions: readConditions(conditions) }));
}

/** Reads the conditions of a trigger as they are stored. */
export function readConditions(text: string): readonly MessageDataCondition[] {
  const input: unknown = JSON.parse(text);
  return recordConditions.parse(input);
}

/** Characters that conditions compare of each record whatever else its batch holds. */
const RECORD_CHARACTERS = 8 * 1024;
/** Characters beyond those that one record may take. */
const RECORD_SHARED_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Characters beyond those that a batch may take; its accounts have equal parts of them. A million takes some 10 ms. */
const BATCH_SHARED_CHARACTERS_MAX = 8 * 1024 * 1024;

export interface TriggeredBatch {
  /** Every activity that was applied and fits a trigger, once for each of them, unless its record suppresses triggers. */
  readonly triggered: readonly TriggeredEvent[];
  /** Triggers with which an activity was not compared, or not stored for, because that cost too much. */
  readonly uncompared: readonly TemplateId[];
}

const nothing: TriggeredBatch = { triggered: [], uncompared: [] };

/** Returns what templates are sent for. An activity that costs more than its account's part fits no further trigger. */
export function toTriggeredEvents(
  records: readonly LoggedRecord[],
  outcomes: readonly Outcome[],
  triggers: readonly ReadTrigger[],
): TriggeredBatch {
  if (triggers.length === 0) return nothing;
  const byAction = Map.groupBy(triggers, ({ account, action }) => `${account}\n${action}`);
  const pots = potsOf(triggers);
  const uncompared = new Set<TemplateId>();
  const triggered = records.flatMap(({ account, operation, record }, index) => {
    const outcome = outcomes[index];
    if (outcome?.kind !== "applied" || !isActivity(record) || suppressesTriggers(operation, record)) return [];
    const listening = byAction.get(`${account.number}\n${record.event.name}`);
    const pot = pots.get(account.number);
    if (listening === undefined || pot === undefined) return [];
    const event = eventOf(record, account.settings.timezone);
    const budget = new ComparisonBudget(pot, { own: RECORD_CHARACTERS, shared: RECORD_SHARED_CHARACTERS_MAX });
    const text = once(() => JSON.stringify(event));
    const fitting = listening.filter((trigger) => {
      // Each trigger that it fits stores the activity.
      const isFit = fitsConditions(event.properties, trigger.conditions, budget) && budget.spend(text().length);
      if (budget.isExhausted) uncompared.add(trigger);
      return isFit;
    });
    const of = { account: account.number, recordId: record.redriveOf ?? record.id, contact: outcome.contact };
    return fitting.map(({ mdtId }) => ({ ...of, mdtId, event: text() }));
  });
  return { triggered, uncompared: [...uncompared] };
}

function potsOf(triggers: readonly ReadTrigger[]): Map<number, ComparisonPot> {
  const accounts = new Set(triggers.map(({ account }) => account));
  const charactersLeft = Math.floor(BATCH_SHARED_CHARACTERS_MAX / accounts.size);
  return new Map([...accounts].map((account) => [account, { charactersLeft }]));
}

function once<Value>(make: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: make() };
    return created.value;
  };
}

/** Returns an activity as Liquid reads it: as answers show it, without the members that say whose it is. */
export function eventOf({ id, event }: CreateContactactivitiesRecord, timezone: string) {
  const { name: action, time, UID, properties = {}, geo, device } = event;
  return {
    ...{ id: UID ?? id, action, time: toTimestamp(parseTime(time, timezone) ?? 0) },
    properties: nestDotted(properties),
    ...(geo !== undefined && { geo }),
    ...(device !== undefined && { device }),
  };
}
