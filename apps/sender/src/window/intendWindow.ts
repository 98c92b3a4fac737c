import type { Account } from "@headwater/contracts";
import type { OutgoingMail } from "@headwater/messaging";
import { retryOnConflict } from "@headwater/projection";
import type { Transaction } from "@headwater/stores/postgres";
import { intendSends, type SendKey, type StoredSend, settleSends } from "@headwater/stores/sends";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import { appendActivities, stoppedActivity } from "./activities.ts";
import { lockRecipients } from "./facts.ts";
import type { PreparedSend } from "./prepareWindow.ts";
import { findReached } from "./reached.ts";
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
}

interface SkippedSend {
  readonly send: StoredSend;
  readonly reason: string;
  /** Address that the message would have gone to. */
  readonly address: string | undefined;
}

interface Decided {
  readonly go: readonly Omit<IntendedSend, "attempts">[];
  readonly skips: readonly SkippedSend[];
  readonly holds: readonly HeldSend[];
}

/**
 * Decides for good who gets the message, under the locks of the contacts, and commits the intents: whatever happens afterwards, nobody takes
 * these sends for not begun. Skips are stored with the activity that reports them.
 */
export async function intendWindow(
  account: Account,
  prepared: readonly PreparedSend[],
  ports: SenderPorts,
): Promise<IntendedSend[]> {
  const { intended, pauses } = await retryOnConflict(() =>
    ports.postgres.transaction(async (transaction) => {
      const decided = await decide(transaction, account, { prepared, nowMs: ports.clock.nowMs() });
      await storeStops(transaction, account, { decided, ports });
      const made = await storeIntents(transaction, account, { go: decided.go, ports });
      return { intended: made, pauses: await judgeMessages(transaction, account, prepared.map(renderMark)) };
    }),
  );
  await pauseMessages(account, pauses, ports);
  return intended;
}

async function decide(
  transaction: Transaction,
  account: Account,
  { prepared, nowMs }: { readonly prepared: readonly PreparedSend[]; readonly nowMs: number },
): Promise<Decided> {
  const sends = prepared.map(({ send }) => send);
  const recipients = await lockRecipients(transaction, { account, sends, nowMs });
  const reached = await findReached(transaction, account, { sends, recipients });
  const go: Omit<IntendedSend, "attempts">[] = [];
  const skips: SkippedSend[] = [];
  const holds: HeldSend[] = [];
  const counted = new Map<number, { channel: string; intendedAt: number }[]>();
  for (const { send, wanted, transport, zone, outcome } of prepared) {
    const known = recipients.get(send);
    const person = known?.row?.number ?? send.contact;
    const recipient = known && { ...known, counted: [...known.counted, ...(counted.get(person) ?? [])] };
    const judging = { settings: account.settings.messaging, zone, hasMessage: wanted !== undefined, nowMs };
    const isDuplicate = reached.isByAnother(send, person);
    const verdict = judge(send, recipient, { ...judging, isDuplicate, isHeldOut: wanted?.isHeldOut ?? false });
    const isMade = verdict.kind === "send" && outcome.kind === "composed" && verdict.address === outcome.mail.address;
    if (isMade && outcome.kind === "composed" && wanted !== undefined && transport !== undefined) {
      go.push({ send, wanted, transport, mail: outcome.mail });
      reached.note(send, person);
      if (counts(send))
        counted.set(person, [...(counted.get(person) ?? []), { channel: send.channel, intendedAt: nowMs }]);
    } else if (verdict.kind === "skip") skips.push({ send, reason: verdict.reason, address: known?.address });
    else if (outcome.kind === "skip") skips.push({ send, reason: outcome.reason, address: known?.address });
    else if (verdict.kind === "hold") holds.push({ send, transport, ...verdict });
    // Rendered for another address, or not at all: at once, with what is known now.
    else holds.push({ send, transport, reason: "transport", until: nowMs, ...(outcome.kind === "hold" && outcome) });
  }
  return { go, skips, holds };
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
  const settled = skips.map(({ send, reason, address = null }) => {
    return { ...keyOf(send), ...STOPPED, attempts: send.attempts, reason, address, dueAt: nowMs };
  });
  const stored = new Set((await settleSends(transaction, settled, { account: number, owner, nowMs })).map(nameOf));
  const own = skips.filter(({ send }) => stored.has(nameOf(send)));
  const activities = own.flatMap(({ send, reason }) => stoppedActivity(account, send, reason));
  await appendActivities(transaction, account, { activities, nowMs });
  for (const { reason } of own) metrics.skipped.inc({ reason });
}

const STOPPED = { state: "skipped", code: null, text: null } as const;

async function storeIntents(
  transaction: Transaction,
  account: Account,
  { go, ports }: { readonly go: Decided["go"]; readonly ports: SenderPorts },
): Promise<IntendedSend[]> {
  const { owner, clock, leaseMs = LEASE_MS } = ports;
  const intents = go.map(({ send, mail, transport }) => ({
    ...keyOf(send),
    address: mail.address,
    transport: transport.id,
    variant: send.variant,
  }));
  const claim = { account: account.number, owner, leaseMs, nowMs: clock.nowMs() };
  const intended = await intendSends(transaction, intents, claim);
  const attempts = new Map(intended.map((row) => [nameOf(row), row.attempts]));
  return go.flatMap((one) => {
    const made = attempts.get(nameOf(one.send));
    return made === undefined ? [] : [{ ...one, attempts: made }];
  });
}

export function keyOf({ account, message, contact, n }: SendKey): SendKey {
  return { account, message, contact, n };
}

export function nameOf({ account, message, contact, n }: SendKey): string {
  return `${account} ${message} ${contact} ${n}`;
}
