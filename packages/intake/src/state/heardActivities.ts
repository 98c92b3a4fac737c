import { type ActivityChangeEvent, toJson } from "@headwater/contracts";
import type { Outcome } from "@headwater/records/fold/outcome";
import { suppressesTriggers } from "../operations/operation.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import { isActivity } from "./partitionState.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateTransaction } from "./stateStore.ts";
import { eventOf } from "./triggeredEvents.ts";

/** Actions that something listens for, by the account's number. */
export type Listeners = ReadonlyMap<number, ReadonlySet<string>>;

const nobody: Listeners = new Map();

/**
 * Finds what is listened for in the accounts of a batch's activities; a batch without activities asks for nothing. It is read in the batch's
 * own transaction, behind the lock of its offset: an activity that was accepted after the answer to the call that began to listen is heard.
 */
export async function findListeners(
  transaction: Pick<StateTransaction, "listeners">,
  records: readonly LoggedRecord[],
): Promise<Listeners> {
  const accounts = new Set<number>();
  for (const { operation, account } of records) {
    if (operation.name === "createContactactivities") accounts.add(account.number);
  }
  if (accounts.size === 0) return nobody;
  const found = await transaction.listeners(accounts);
  const byAccount = Map.groupBy(found, ({ account }) => account);
  return new Map([...byAccount].map(([account, own]) => [account, new Set(own.map(({ action }) => action))]));
}

/** Records of one frame are fewer than this. */
const RECORDS_OF_A_FRAME = 4_096;

/** Returns the applied activities that something listens for, each with its position in the log: that of the record, not of its original. */
export function toHeardActivities(
  { records, key: { topic, partition } }: Pick<StateBatch, "records" | "key">,
  outcomes: readonly Outcome[],
  listeners: Listeners,
): ActivityChangeEvent[] {
  if (listeners.size === 0) return [];
  const stream = `${topic}/${partition}`;
  return records.flatMap(({ account, operation, record, version, offset, place }, index) => {
    const outcome = outcomes[index];
    if (outcome?.kind !== "applied" || !isActivity(record)) return [];
    if (listeners.get(account.number)?.has(record.event.name) !== true) return [];
    const { action, time, properties } = eventOf(record, account.settings.timezone);
    const of = { account: account.number, contact: outcome.contact, version, id: record.redriveOf ?? record.id };
    const at = { stream, position: offset * RECORDS_OF_A_FRAME + place };
    const isRobot = record.event.device?.robot === true;
    const suppresses = suppressesTriggers(operation, record);
    const marks = { ...(isRobot && { robot: true }), ...(suppresses && { suppressTriggers: true }) };
    return [{ ...of, ...at, action, time, properties: toProperties(properties), ...marks }];
  });
}

function toProperties(properties: object): ActivityChangeEvent["properties"] {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, toJson(value)]));
}
