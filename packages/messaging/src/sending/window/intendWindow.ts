import type { Account, PublishedIntents } from "@headwater/contracts";
import { insertIntentMark } from "@headwater/guard/consistency/intentMarks";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { OutgoingMail } from "../../frozen/handover.ts";
import { noteWaiting } from "../../sends/claimSends.ts";
import type { SendKey, StoredSend } from "../../sends/sendRow.ts";
import { intendSends, settleSends } from "../../sends/settleSends.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import { appendActivities, stoppedActivity } from "./activities.ts";
import { lockRecipients, type Recipients } from "./facts.ts";
import { findLostIntents, type LostIntents, printOf } from "./lostIntents.ts";
import { takeWindowTokens, type WindowTokens } from "./paceWindow.ts";
import type { PreparedSend } from "./prepareWindow.ts";
import { findReached, type Reached } from "./reached.ts";
import { judgeMessages, pauseMessages, renderMark } from "./selfPauses.ts";
import { type HeldSend, storeHolds } from "./storeHolds.ts";
import { judge } from "./verdict.ts";

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
  /** Words beside the reason. */
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
  const { pauses, ...made } = await retryOnConflict(() =>
    ports.postgres.transaction((transaction) => intend(transaction, account, { window, ports })),
  );
  await pauseMessages(account, pauses, ports);
  return made;
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
  return { intended, published, waiting, waitMs, pauses: await judgeMessages(transaction, account, marks) };
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
    const isMade = verdict.kind === "send" && outcome.kind === "composed" && verdict.address === outcome.mail.address;
    if (isMade && outcome.kind === "composed" && wanted !== undefined && transport !== undefined) {
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
  const settled = skips.map(({ send, reason, address = null, text = null }) => {
    return { ...keyOf(send), ...STOPPED, attempts: send.attempts, reason, address, text, dueAt: nowMs };
  });
  const stored = new Set((await settleSends(transaction, settled, { account: number, owner, nowMs })).map(nameOf));
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
    const made = attempts.get(nameOf(one.send));
    return made === undefined ? [] : [{ ...one, attempts: made }];
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
