import { hash } from "node:crypto";
import type { Account, PublishedIntents } from "@headwater/contracts";
import { insertIntentMark } from "@headwater/guard/consistency/intentMarks";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { OutgoingMail } from "../../frozen/handover.ts";
import { noteWaiting } from "../../sends/claimSends.ts";
import { readLostIntents } from "../../sends/lostIntents.ts";
import { intendSends, resolveSends } from "../../sends/resolveSends.ts";
import type { SendKey, StoredSend } from "../../sends/sendRow.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import { appendActivities, stoppedActivity } from "./activities.ts";
import { lockRecipients, type Recipients } from "./facts.ts";
import { takeWindowTokens, type WindowTokens } from "./paceWindow.ts";
import type { PreparedSend } from "./prepareWindow.ts";
import { evaluateMessages, pauseMessages, renderMark } from "./selfPauses.ts";
import { type HeldSend, storeHolds } from "./storeHolds.ts";
import { judge } from "./verdict.ts";

/** Bytes of a digest, so that no two addresses of an occasion share one. */
const PRINT_CHARACTERS = 24;

const reachedStatement = {
  name: "sends_reached",
  text: `WITH asked AS (SELECT * FROM unnest($2::text[], $3::bigint[]) AS a (message, person)),
      numbers AS (SELECT message, person, person AS contact FROM asked
        UNION SELECT a.message, a.person, c.number FROM asked a JOIN contacts c ON c.account = $1 AND c.merged_into = a.person)
    SELECT n.message, n.person, s.contact FROM numbers n
      JOIN sends s ON s.account = $1 AND s.message = n.message AND s.contact = n.contact
    WHERE s.first_at IS NOT NULL AND s.kind = 'b'`,
};

/** A send whose intent is committed: its first byte may leave. */
export interface IntendedSend {
  readonly send: StoredSend;
  readonly wanted: WantedMessage;
  readonly transport: OpenTransport;
  readonly mail: OutgoingMail;
  /** Number of this attempt. */
  readonly attempts: number;
  /** Its turn at the pace of its rates, by the monotonic clock. */
  readonly turnAtMs: number;
}

interface SkippedSend {
  readonly send: StoredSend;
  readonly reason: string;
  /** Address that the message would have gone to. */
  readonly address: string | undefined;
  /** Words next to the reason. */
  readonly text?: string | undefined;
}

interface Going extends Omit<IntendedSend, "attempts"> {
  readonly prepared: PreparedSend;
}

interface Decided {
  readonly go: readonly Going[];
  readonly skips: readonly SkippedSend[];
  readonly holds: readonly HeldSend[];
  readonly waiting: readonly PreparedSend[];
  /** Time after which a rate has something for those that wait. */
  readonly waitMs: number;
}

export interface IntendingWindow {
  readonly prepared: readonly PreparedSend[];
  /** Sends for which a rate has something within this time stay as they are; all others are given back. Default none. */
  readonly waitMsMax?: number;
}

export interface IntendedWindow extends Pick<Decided, "waiting" | "waitMs"> {
  readonly intended: readonly IntendedSend[];
  /** The intents as they are published before the first byte leaves; undefined where none was made. */
  readonly published: PublishedIntents | undefined;
}

/**
 * Decides for good who gets the message, under the locks of the contacts, and commits the intents: whatever happens afterwards, nobody takes
 * these sends for not begun. Their tokens are counted in the same transaction. Skips are stored with the activity that reports them.
 */
export async function intendWindow(
  account: Account,
  window: IntendingWindow,
  ports: SenderPorts,
): Promise<IntendedWindow> {
  const { pauses, ...created } = await retryOnConflict(() =>
    ports.postgres.transaction((transaction) => intend(transaction, account, { window, ports })),
  );
  await pauseMessages(account, pauses, ports);
  return created;
}

async function intend(
  transaction: Transaction,
  account: Account,
  { window, ports }: { readonly window: IntendingWindow; readonly ports: SenderPorts },
) {
  const { prepared, waitMsMax = 0 } = window;
  const { owner } = ports;
  const nowMs = ports.clock.nowMs();
  const sends = prepared.map(({ send }) => send);
  const recipients = await lockRecipients(transaction, { account, sends, nowMs });
  const reached = await findReached(transaction, account, { sends, recipients });
  const lost = await findLostIntents(transaction, account, prepared);
  const tokens = await takeWindowTokens(transaction, account, prepared);
  const deciding = { prepared, recipients, reached, lost, tokens, waitMsMax, nowMs: tokens.atMs ?? nowMs };
  const decided = decide(account, deciding);
  const { go, waiting, waitMs } = decided;
  await storeStops(transaction, account, { decided, ports });
  await noteWaiting(
    transaction,
    waiting.map(({ send }) => send),
    { account: account.number, owner, reason: "rate" },
  );
  const intended = await storeIntents(transaction, account, { go, ports, nowMs: deciding.nowMs });
  const published = await markIntents(transaction, account, { intended, at: deciding.nowMs });
  const begun = new Set(intended.map(({ send }) => nameOf(send)));
  await tokens.store(({ send }) => begun.has(nameOf(send)));
  const left = new Set(waiting);
  const marks = prepared.filter((one) => !left.has(one)).map(renderMark);
  return { intended, published, waiting, waitMs, pauses: await evaluateMessages(transaction, account, marks) };
}

interface Deciding {
  readonly prepared: readonly PreparedSend[];
  readonly recipients: Recipients;
  readonly reached: Reached;
  readonly lost: LostIntents;
  readonly tokens: WindowTokens;
  readonly waitMsMax: number;
  readonly nowMs: number;
}

function decide(
  account: Account,
  { prepared, recipients, reached, lost, tokens, waitMsMax, nowMs }: Deciding,
): Decided {
  const go: Going[] = [];
  const skips: SkippedSend[] = [];
  const holds: HeldSend[] = [];
  const waiting: PreparedSend[] = [];
  const waits: number[] = [];
  const counted = new Map<number, { channel: string; intendedAt: number }[]>();
  for (const one of prepared) {
    const { send, wanted, transport, zone, outcome } = one;
    const known = recipients.get(send);
    const person = known?.row?.number ?? send.contact;
    const recipient = known && { ...known, counted: [...known.counted, ...(counted.get(person) ?? [])] };
    const judging = { settings: account.settings.messaging, zone, hasMessage: wanted !== undefined, nowMs };
    const isHandedOver = outcome.kind === "composed" && lost.isHandedOver(send, outcome.mail.address);
    const isDuplicate = isHandedOver || reached.isByAnother(send, person);
    const verdict = judge(send, recipient, { ...judging, isDuplicate, isHeldOut: wanted?.isHeldOut ?? false });
    const isCreated =
      verdict.kind === "send" && outcome.kind === "composed" && verdict.address === outcome.mail.address;
    if (isCreated && outcome.kind === "composed" && wanted !== undefined && transport !== undefined) {
      const turn = tokens.take(one);
      if (turn.kind === "wait") {
        if (turn.waitMs > waitMsMax)
          holds.push({ send, transport, reason: "rate", until: nowMs + Math.max(1, turn.waitMs) });
        else {
          waiting.push(one);
          waits.push(turn.waitMs);
        }
        continue;
      }
      go.push({ send, wanted, transport, mail: outcome.mail, turnAtMs: turn.atMs, prepared: one });
      reached.note(send, person);
      if (counts(send))
        counted.set(person, [...(counted.get(person) ?? []), { channel: send.channel, intendedAt: nowMs }]);
    } else if (verdict.kind === "skip") skips.push({ send, reason: verdict.reason, address: known?.address });
    else if (outcome.kind === "skip") skips.push({ send, ...outcome, address: known?.address });
    else if (verdict.kind === "hold") holds.push({ send, transport, ...verdict });
    // Rendered for another address, or not at all: at once, with what is known now.
    else holds.push({ send, transport, reason: "transport", until: nowMs, ...(outcome.kind === "hold" && outcome) });
  }
  return { go, skips, holds, waiting, waitMs: Math.max(1, Math.min(...waits)) };
}

function counts({ kind, classification }: StoredSend): boolean {
  return kind !== "t" && classification === "promotional";
}

interface Storing {
  readonly decided: Decided;
  readonly ports: SenderPorts;
}

async function storeStops(
  transaction: Transaction,
  account: Account,
  { decided: { skips, holds }, ports: { owner, clock, metrics } }: Storing,
): Promise<void> {
  const nowMs = clock.nowMs();
  const { number } = account;
  await storeHolds(transaction, account, { holds, nowMs, owner });
  const resolved = skips.map(({ send, reason, address = null, text = null }) => {
    return { ...keyOf(send), ...STOPPED, attempts: send.attempts, reason, address, text, dueAt: nowMs };
  });
  const stored = new Set((await resolveSends(transaction, resolved, { account: number, owner, nowMs })).map(nameOf));
  const own = skips.filter(({ send }) => stored.has(nameOf(send)));
  const activities = own.flatMap(({ send, reason }) => stoppedActivity(account, send, reason));
  await appendActivities(transaction, account, { activities, nowMs });
  for (const { reason } of own) metrics.skipped.inc({ reason });
}

const STOPPED = { state: "skipped", code: null } as const;

async function storeIntents(
  transaction: Transaction,
  account: Account,
  { go, ports, nowMs }: { readonly go: Decided["go"]; readonly ports: SenderPorts; readonly nowMs: number },
): Promise<IntendedSend[]> {
  const { owner, leaseMs = LEASE_MS } = ports;
  const intents = go.map(({ send, mail, transport }) => ({
    ...keyOf(send),
    address: mail.address,
    transport: transport.id,
    variant: send.variant,
  }));
  const claim = { account: account.number, owner, leaseMs, nowMs };
  const intended = await intendSends(transaction, intents, claim);
  const attempts = new Map(intended.map((row) => [nameOf(row), row.attempts]));
  return go.flatMap((one) => {
    const built = attempts.get(nameOf(one.send));
    return built === undefined ? [] : [{ ...one, attempts: built }];
  });
}

/** Marks the transaction, so that a Postgres that lost it is known by what was published. */
async function markIntents(
  transaction: Transaction,
  { number }: Account,
  { intended, at }: { readonly intended: readonly IntendedSend[]; readonly at: number },
): Promise<PublishedIntents | undefined> {
  if (intended.length === 0) return undefined;
  const mark = await insertIntentMark(transaction);
  const sends = intended.map(({ send, mail, attempts }) => {
    const { message, contact, n, kind, cid, channel, classification } = send;
    const print = printOf(send, mail.address);
    return { message, contact, n, kind, cid, channel, classification, attempts, ...(print !== undefined && { print }) };
  });
  return { ...mark, at, account: number, sends };
}

export function keyOf({ account, message, contact, n }: SendKey): SendKey {
  return { account, message, contact, n };
}

export function nameOf({ account, message, contact, n }: SendKey): string {
  return `${account} ${message} ${contact} ${n}`;
}

/** Numbers under which contacts got messages of which each gets one. */
interface Reached {
  /** True if the contact got the message under another number: two of them were merged. */
  isByAnother(send: StoredSend, person: number): boolean;
  /** Remembers a send that goes out now. */
  note(send: StoredSend, person: number): void;
}

/** Finds under which numbers the contacts of a window got its batch messages. The contacts are locked. */
async function findReached(
  transaction: Transaction,
  account: Account,
  { sends, recipients }: { readonly sends: readonly StoredSend[]; readonly recipients: Recipients },
): Promise<Reached> {
  const asked = sends.flatMap((send) => {
    const { kind, message } = send;
    const row = recipients.get(send)?.row;
    return kind === "b" && row != null ? [{ message, person: row.number }] : [];
  });
  const numbers = new Map<string, Set<number>>();
  const add = (message: string, person: number, contact: number) => {
    const name = `${message} ${person}`;
    numbers.set(name, (numbers.get(name) ?? new Set()).add(contact));
  };
  for (const { message, person, contact } of await readReached(transaction, account.number, asked)) {
    add(message, person, contact);
  }
  return {
    isByAnother({ kind, message, contact }, person) {
      const known = kind === "b" ? numbers.get(`${message} ${person}`) : undefined;
      return known !== undefined && !known.has(contact);
    },
    note: ({ message, contact }, person) => add(message, person, contact),
  };
}

/** A message and a live contact that is to get it. */
interface Reach {
  readonly message: string;
  readonly person: number;
}

/** Returns the numbers under which live contacts got, or may have got, messages: their own and those of contacts merged into them. */
function readReached(
  session: Session,
  account: number,
  asked: readonly Reach[],
): Promise<(Reach & { readonly contact: number })[]> {
  if (asked.length === 0) return Promise.resolve([]);
  const messages = textArray(asked, ({ message }) => message);
  const people = plainArray(asked, ({ person }) => person);
  return session.query<Reach & { contact: number }>(reachedStatement, [account, messages, people]);
}

/** Sends that a recovery of Postgres found in Kafka alone. */
interface LostIntents {
  /** Returns true if the address may have got a mail of the same occasion by another send, which is lost. */
  isHandedOver(send: StoredSend, address: string): boolean;
}

/**
 * Returns a digest of a send's occasion and address: of its batch message, or of the activity, tick or step of a run that a template is sent for. Undefined
 * for sends that somebody called for and for tests: a repeated call is another occasion.
 */
function printOf({ kind, message, want, channel }: StoredSend, address: string): string | undefined {
  const occasion = kind === "b" ? message : want;
  if (occasion === null || kind === "t") return undefined;
  return hash("sha256", JSON.stringify([occasion, channel, address.toLowerCase()]), "hex").slice(0, PRINT_CHARACTERS);
}

/** Finds which sends of a window may have been handed over by intents that are lost. */
async function findLostIntents(
  transaction: Transaction,
  { number }: Account,
  prepared: readonly PreparedSend[],
): Promise<LostIntents> {
  const prints = prepared.flatMap(({ send, outcome }) =>
    outcome.kind === "composed" ? (printOf(send, outcome.mail.address) ?? []) : [],
  );
  const lost = await readLostIntents(transaction, number, prints);
  return {
    isHandedOver(send, address) {
      const other = lost.get(printOf(send, address) ?? "");
      const isItself = other?.message === send.message && other.contact === send.contact && other.n === send.n;
      return other !== undefined && !isItself;
    },
  };
}
