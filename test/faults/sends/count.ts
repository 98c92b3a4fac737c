import { messageIdOf } from "@headwater/messaging/compose/composeMail";
import type { TakenMail } from "@headwater/testing";
import { DOT_RESETS } from "./faults.ts";
import type { SendRound } from "./sendRound.ts";
import type { Person, SendsGround } from "./sendsGround.ts";

interface Row {
  readonly contact: number;
  readonly cid: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
}

export interface Counting {
  readonly id: string;
  readonly round: SendRound;
  readonly windows: number;
  /** Addresses of people who had unsubscribed while the message was paused, and had not got it. */
  readonly spared: readonly string[];
  /** Mails of the message that the server took, from its file. */
  readonly mails: readonly TakenMail[];
}

export const WINDOW = 50;
export const DOMAIN = "example.com";
/** Times that one contact may get a message. */
const TIMES = { promotional: 1, transactional: 2 } as const;

/** Compares what the server took with what we report of each contact. @returns differences. */
export async function countRound(on: SendsGround, counting: Counting): Promise<string[]> {
  const rows = await readRows(on, counting.id);
  const people = new Map(on.people.map((person) => [person.number, person]));
  for (const { contact, reason } of rows) {
    const person = people.get(contact);
    if (reason === "bounced" && person !== undefined) person.isRefused = true;
  }
  return [
    ...tooOften(counting),
    ...tooManyUnknown(rows, counting),
    ...unfaithful(counting),
    ...(await tooFast(on, counting)),
    ...(await intendedTooLate(on, counting)),
    ...rows.flatMap((row) => validate(row, people.get(row.contact), counting)),
    ...strangers(on, rows, counting),
  ];
}

function readRows({ ground }: SendsGround, id: string): Promise<Row[]> {
  const text = "SELECT contact, cid, state, reason, attempts FROM sends WHERE message = $1 AND kind = 'b'";
  return ground.postgres.query<Row & Record<string, unknown>>({ text }, [id]);
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** No promotional message comes twice, a transactional one at most twice, and then under one `Message-ID`. */
function tooOften({ round, mails }: Counting): string[] {
  const times = TIMES[round.classification];
  const byId = countBy(mails, ({ messageId }) => messageId);
  const ids = new Map<string, Set<string>>();
  for (const { messageId, recipients } of mails) {
    for (const one of recipients) ids.set(one, (ids.get(one) ?? new Set()).add(messageId));
  }
  return [
    ...[...byId].filter(([, count]) => count > times).map(([one, count]) => `${one} came ${count} times`),
    ...[...ids].filter(([, own]) => own.size > 1).map(([one, own]) => `${one} got ${own.size} messages`),
  ];
}

/** Turns are given half a second ahead, and the slots of a second lie in its first eight tenths. */
const AHEAD_SECONDS = 0.5 / 0.8;

/** No stretch of whole seconds of Postgres' clock has more intents than it and what is given ahead have turns. Only the last one of each send is known. */
async function tooFast({ ground, perSecond }: SendsGround, { id }: Counting): Promise<string[]> {
  if (perSecond === undefined) return [];
  const text = `SELECT intended_at / 1000 AS second, count(*) AS intents FROM sends
    WHERE message = $1 AND attempts > 0 GROUP BY 1 ORDER BY 1`;
  const rows = await ground.postgres.query<{ second: number; intents: number }>({ text }, [id]);
  const ahead = Math.ceil(perSecond * AHEAD_SECONDS) + 1;
  const found: string[] = [];
  for (const [index, first] of rows.entries()) {
    let intents = 0;
    for (const last of rows.slice(index)) {
      intents += last.intents;
      const seconds = last.second - first.second + 1;
      const most = perSecond * seconds + ahead;
      if (intents > most) found.push(`${intents} intents in ${seconds} s, where ${most} have turns`);
    }
  }
  return found;
}

/** Nobody knows what became of the windows of killed senders, and of mails whose connection was lost behind the dot. */
function tooManyUnknown(rows: readonly Row[], { windows, round }: Counting): string[] {
  const unknown = rows.filter(({ state }) => state === "unknown").length;
  const resets = round.faults.filter((name) => name === "answers of all kinds").length * DOT_RESETS;
  const max = WINDOW * windows + resets;
  return unknown > max ? [`${unknown} are unknown, of ${max} that may be`] : [];
}

/** Nobody who had unsubscribed got a promotional message. */
function unfaithful({ round, spared, mails }: Counting): string[] {
  if (round.classification !== "promotional") return [];
  const reached = mails.flatMap(({ recipients }) => recipients).filter((one) => spared.includes(one));
  return reached.map((one) => `${one} had unsubscribed`);
}

/** No intent of a promotional message was made for anybody who had unsubscribed by then. */
async function intendedTooLate({ ground, people }: SendsGround, { id, round }: Counting): Promise<string[]> {
  if (round.classification !== "promotional") return [];
  const text = "SELECT contact, max(at) AS at FROM noted_intents WHERE message = $1 GROUP BY contact";
  const intents = await ground.postgres.query<{ contact: number; at: number }>({ text }, [id]);
  const last = new Map(intents.map(({ contact, at }) => [contact, at]));
  return people.flatMap(({ email, number, unsubscribedAt }) => {
    const at = last.get(number);
    const isLate = unsubscribedAt !== undefined && at !== undefined && at > unsubscribedAt;
    return isLate ? [`${email} had unsubscribed ${at - unsubscribedAt} ms before an intent`] : [];
  });
}

/** Returns whether a row's outcome is what the server's file and the person's fate say. */
function validate(row: Row, person: Person | undefined, { round, mails }: Counting): string[] {
  if (person === undefined) return [`contact ${row.contact} is nobody of ours`];
  const { state, reason } = row;
  const view = `${person.email} is ${state} ${reason ?? ""}`;
  const reached = reachedOf(mails);
  // An address may be the other's of two that were merged.
  const isTaken = person.fate === "merged" ? undefined : reached.has(person.email);
  const wrong = isTaken === undefined || isTaken === isExpected(row) || isExpected(row) === undefined;
  if (!wrong) return [`${view}, and the server ${isTaken ? "took" : "did not take"} its mail`];
  if (state !== "skipped") return [];
  return isTrue(reason, person, round) ? [] : [`${view}, and the person is ${person.fate}`];
}

const known = new WeakMap<readonly TakenMail[], ReadonlySet<string>>();
function reachedOf(mails: readonly TakenMail[]): ReadonlySet<string> {
  const reached = known.get(mails) ?? new Set(mails.flatMap(({ recipients }) => recipients));
  known.set(mails, reached);
  return reached;
}

/** Returns whether the server must have taken the mail; undefined where nobody knows. */
function isExpected({ state, reason, attempts }: Row): boolean | undefined {
  if (state === "sent") return reason === null;
  if (state === "unknown") return undefined;
  // An answer may have been lost before it was tried again.
  return attempts === 0 ? false : undefined;
}

function isTrue(reason: string | null, { fate, isRefused }: Person, round: SendRound): boolean {
  switch (reason) {
    case "invalid-address":
      return isRefused || fate === "merged";
    case "suppressed":
      return isRefused || fate === "unsubscribed" || fate === "erased" || fate === "merged";
    case "not-subscribed":
      return fate === "unsubscribed" || fate === "erased" || fate === "merged";
    case "erased":
      return fate === "erased" || fate === "merged";
    case "duplicate":
      return fate === "merged";
    case "left-audience":
      return fate !== "none";
    case "canceled":
      return round.isCanceled;
    default:
      return false;
  }
}

/** Mails without a row. Erased contacts have no id any more. */
function strangers({ account, people }: SendsGround, rows: readonly Row[], { id, mails }: Counting): string[] {
  const erased = new Set(people.filter(({ fate }) => fate === "erased").map(({ email }) => email));
  const knownIds = new Set(
    rows
      .filter(({ attempts }) => attempts > 0)
      .map(({ cid }) => messageIdOf([account.id, id, "b", cid, 1].join(":"), DOMAIN)),
  );
  return mails
    .filter(({ messageId, recipients }) => !knownIds.has(messageId) && !recipients.some((one) => erased.has(one)))
    .map(({ messageId, recipients }) => `${messageId} to ${recipients} stands in no row`);
}
