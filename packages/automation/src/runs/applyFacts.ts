import { parseMcId, timeOfVersion } from "@headwater/contracts";
import { runInSlices, type Sliced } from "@headwater/kernel";
import { readTemplateChildren } from "@headwater/messaging/templates/templateChildren";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { Activity, Fact, Start } from "../orchestrations/run.ts";
import { startOf } from "../orchestrations/start.ts";
import { type EntryKey, lockEntries, readLiveRuns, takeEntries } from "./entryRows.ts";
import type { Starting } from "./journeys.ts";
import { keyTextOf, lockRuns, lockRunsOfContacts } from "./postgres.ts";
import type { ReadChange } from "./readFacts.ts";
import type { RunUnit } from "./runUnit.ts";
import { readRunsOfSends, type SentMessage } from "./sendRows.ts";
import { type UnitPorts, withJourneys } from "./storeUnit.ts";

const contactsStatement = {
  name: "orchestration_contacts",
  text: `SELECT c.account, c.number, COALESCE(c.merged_into, c.number) AS survivor FROM unnest($1::int[], $2::bigint[]) AS k (account, number)
    JOIN contacts c ON (c.account, c.number) = (k.account, k.number) ORDER BY c.account, c.number FOR KEY SHARE OF c`,
};
const familyStatement = {
  name: "orchestration_contacts_family",
  text: `SELECT c.account, c.number, k.survivor FROM unnest($1::int[], $2::bigint[]) AS k (account, survivor)
    JOIN contacts c ON (c.account, c.merged_into) = (k.account, k.survivor)`,
};

interface FamilyRow {
  readonly account: number;
  readonly number: number;
  /** Number of the contact that it belongs to now. */
  readonly survivor: number;
}

/** A fact under the contact that lives, with its position in the outbox. */
export interface OwnFact {
  readonly account: number;
  readonly fact: Fact;
  readonly revision: number;
  /** Ids of the orchestrations that it may start; absent: all that it fits. */
  readonly starts?: ReadonlySet<string>;
}

/** A start that a fact makes. */
interface Wanted {
  readonly starting: Starting;
  readonly start: Start;
}

/**
 * Gives facts to the runs of their contacts, in order, and begins the runs that they start. Contacts that were merged are joined first: facts of the
 * survivor are facts of all that it was.
 * @param input with `isBroken` the starts have broken before: their runs are stored as failed.
 */
export async function applyFacts(
  transaction: Transaction,
  unit: RunUnit,
  { facts, starting, isBroken }: AppliedFacts,
  ports: UnitPorts,
): Promise<void> {
  const byAccount = Map.groupBy(starting, ({ account }) => account);
  const wanted = await runInSlices(findStarts(facts, byAccount, unit));
  await loadStarts(transaction, unit, wanted.flat(), ports);
  for (const [index, { account, fact }] of facts.entries()) {
    if (fact.kind === "activity") {
      for (const key of unit.ofContact(account, fact.contact))
        await unit.apply(key, { kind: "activity", activity: fact });
    }
    for (const { starting: from, start } of wanted[index] ?? [])
      await unit.start(account, from.journey, start, isBroken);
  }
}

interface AppliedFacts {
  readonly facts: readonly OwnFact[];
  readonly starting: readonly Starting[];
  readonly isBroken?: boolean | undefined;
}

/** Compares each fact with the triggers of its account, one trigger at a time: a fact of long texts may meet a thousand of them. */
export function* findStarts(
  facts: readonly OwnFact[],
  byAccount: ReadonlyMap<number, readonly Starting[]>,
  unit: Pick<RunUnit, "refuse">,
): Sliced<Wanted[][]> {
  const wanted: Wanted[][] = [];
  for (const { account, fact, revision, starts } of facts) {
    const own: Wanted[] = [];
    for (const one of byAccount.get(account) ?? []) {
      if (revision <= one.enabledPosition || starts?.has(one.journey.orchestration) === false) continue;
      yield;
      const started = startOf(one.journey, fact);
      if (started.kind === "refused") unit.refuse(account, one.journey.orchestration, started.reason);
      if (started.kind === "start") own.push({ starting: one, start: started.start });
    }
    wanted.push(own);
  }
  return wanted;
}

/** Locks the entries of starts, and the runs that begun since those of the contacts were locked. */
async function loadStarts(
  transaction: Transaction,
  unit: RunUnit,
  wanted: readonly Wanted[],
  ports: UnitPorts,
): Promise<void> {
  const keys = new Map(
    wanted.map(({ starting: { account, journey }, start }) => {
      const { orchestration } = journey;
      const key: EntryKey = { account, orchestration, contact: start.contact, key: keyTextOf(start) };
      return [JSON.stringify(Object.values(key)), key];
    }),
  );
  const entries = [...keys.values()];
  unit.addEntries(await lockEntries(transaction, entries));
  const live = await readLiveRuns(transaction, entries);
  unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, live)));
}

/** Contacts of facts by the numbers that the facts have; one that is gone is left out. */
export type Survivors = (account: number, contact: number) => number | undefined;

/** Locks contacts and the runs that compare activities with them, and joins what belonged to contacts that were merged. */
export async function loadContacts(
  transaction: Transaction,
  unit: RunUnit,
  { contacts, sinceMs, nowMs }: LoadedContacts,
  ports: UnitPorts,
): Promise<Survivors> {
  const rows = await transaction.query<FamilyRow>(contactsStatement, [
    plainArray(contacts, ({ account }) => account),
    plainArray(contacts, ({ contact }) => contact),
  ]);
  const survivors = new Map(rows.map(({ account, survivor }) => [`${account} ${survivor}`, { account, survivor }]));
  const own = [...survivors.values()];
  const merged = await transaction.query<FamilyRow>(familyStatement, [
    plainArray(own, ({ account }) => account),
    plainArray(own, ({ survivor }) => survivor),
  ]);
  const members = [...own.map(({ account, survivor }) => ({ account, contact: survivor })), ...merged.map(memberOf)];
  unit.add(await withJourneys(transaction, ports, await lockRunsOfContacts(transaction, members, sinceMs)));
  const taken = await takeEntries(transaction, merged.map(memberOf));
  for (const [key, aliases] of Map.groupBy(merged, ({ account, survivor }) => `${account} ${survivor}`)) {
    const { account, survivor } = survivors.get(key) ?? { account: 0, survivor: 0 };
    const numbers = aliases.map(({ number }) => number);
    const ofAliases = taken.filter((one) => one.account === account && numbers.includes(one.contact));
    const hasRuns = numbers.some((number) => unit.ofContact(account, number).length > 0);
    if (!hasRuns && ofAliases.length === 0) continue;
    await unit.merge(account, { survivor, numbers: [survivor, ...numbers], at: nowMs }, ofAliases);
  }
  const byNumber = new Map(rows.map(({ account, number, survivor }) => [`${account} ${number}`, survivor]));
  return (account, contact) => byNumber.get(`${account} ${contact}`);
}

export interface LoadedContacts {
  readonly contacts: readonly { readonly account: number; readonly contact: number }[];
  /** Activities from then on are compared. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

function memberOf({ account, number }: FamilyRow) {
  return { account, contact: number };
}

/** Returns the messages that activities are about: runs know opens and clicks of their own. */
export async function readMessages(transaction: Transaction, changes: readonly ReadChange[]): Promise<MessageOf> {
  const sent = changes.flatMap((change) => (change.kind === "activity" ? (sentOf(change.value) ?? []) : []));
  const [rows, keys] = await Promise.all([
    readRunsOfSends(
      transaction,
      sent.filter(({ type }) => type === "o"),
    ),
    readKeys(transaction, sent),
  ]);
  const byName = new Map(rows.map(({ run, template, ...name }) => [sentText(name), { run, key: template }]));
  return (activity) => {
    const name = sentOf(activity);
    if (name === undefined) return undefined;
    const key = keys.get(`${name.account} ${name.message}`);
    return byName.get(sentText(name)) ?? (key === undefined ? undefined : { key });
  };
}

/** Returns the keys of the templates that messages are of, by account and message. */
async function readKeys(transaction: Transaction, sent: readonly SentMessage[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const [account, own] of Map.groupBy(sent, (one) => one.account)) {
    const children = await readTemplateChildren(transaction, account, [...new Set(own.map(({ message }) => message))]);
    for (const { id, key } of children) keys.set(`${account} ${id}`, key);
  }
  return keys;
}

export type MessageOf = (
  activity: Extract<ReadChange, { kind: "activity" }>["value"],
) => { readonly run?: string; readonly key: string } | undefined;

function sentOf({
  account,
  properties,
}: Extract<ReadChange, { kind: "activity" }>["value"]): (SentMessage & { readonly type: string }) | undefined {
  const { mcID } = properties;
  const parsed = typeof mcID === "string" ? parseMcId(mcID) : undefined;
  if (parsed === undefined || (parsed.type !== "o" && parsed.type !== "a")) return undefined;
  const message = parsed.period === undefined ? parsed.message : `${parsed.message}:${parsed.period}`;
  const n = Number(parsed.n);
  if (!Number.isSafeInteger(n) || n < 0 || n >= 2 ** 31) return undefined;
  return { account, message, cid: parsed.contact, n, type: parsed.type };
}

function sentText({ account, message, cid, n }: SentMessage): string {
  return JSON.stringify([account, message, cid, n]);
}

/** Returns an activity as runs compare it. */
export function toActivity(
  { value }: Extract<ReadChange, { kind: "activity" }>,
  contact: number,
  message: ReturnType<MessageOf>,
): Activity {
  const { id, stream, position, version, action, time, properties, robot, suppressTriggers } = value;
  return {
    ...{ kind: "activity", id, stream, position, at: timeOfVersion(version), contact, action, time, properties },
    ...(robot === true && { isRobot: true }),
    ...(suppressTriggers === true && { suppressTriggers }),
    ...(message !== undefined && { message }),
  };
}
