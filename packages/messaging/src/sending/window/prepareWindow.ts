import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { loadAttributeRules } from "@headwater/records/attributes/postgres";
import { contactRecords } from "@headwater/records/views/contactRecords";
import { zoneOfContact } from "../../batchMessages/zoneOfContact.ts";
import { dataOf } from "../../frozen/storedContent.ts";
import { Slots } from "../../handover/slots.ts";
import { messageLimits } from "../../limits.ts";
import { type MessageDataOutcome, messageDataOf } from "../../messageData/messageDataOf.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { linkBaseOf } from "../../tracking/linkBase.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";
import { type Composed, composeSend } from "./composeSend.ts";
import { type Recipient, type Recipients, readRecipients } from "./facts.ts";
import { attachmentBytes, composedBytes, type MessageHold } from "./messageMemory.ts";
import type { RoutedSend } from "./routeWindow.ts";
import { judge, type Verdict } from "./verdict.ts";

const NOTHING: MessageDataOutcome = { kind: "loaded", data: {} };

/** A send with what was found for it before its intent. */
export interface PreparedSend {
  readonly send: StoredSend;
  readonly wanted: WantedMessage | undefined;
  readonly transport: OpenTransport | undefined;
  /** Time zone of the recipient. */
  readonly zone: string;
  readonly outcome: Composed | Exclude<Verdict, { readonly kind: "send" }>;
}

/** Other numbers of the contact are checked under its lock. */
const WITHOUT_OTHERS = { isDuplicate: false } as const;
/** A transport that is not there or disabled is searched for again. */
const NO_TRANSPORT_HOLD_MS = 60_000;
/** A message waits so long for memory. */
const MEMORY_HOLD_MS = 250;
/** Messages of one window that are rendered at a time: the others of all windows get their turn between them. */
const RENDERS_AT_ONCE = 4;

export interface PreparingWindow {
  readonly routed: readonly RoutedSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly hold: MessageHold;
  /** One send of each message is rendered, and the others wait for what becomes of it. */
  readonly isTrial?: boolean;
}

/** Loads what a window of one account's sends needs, and renders those that may go. Nothing is decided for good yet. */
export async function prepareWindow(
  account: Account,
  { routed, claimedAtMs, hold, isTrial = false }: PreparingWindow,
  ports: SenderPorts,
): Promise<PreparedSend[]> {
  const { postgres, clock, leaseMs = LEASE_MS } = ports;
  const nowMs = clock.nowMs();
  const sends = routed.map(({ send }) => send);
  const wanted = new Map(routed.flatMap((one) => (one.wanted === undefined ? [] : [[one.send, one.wanted] as const])));
  const recipients = await readRecipients(postgres, { account, sends, nowMs });
  const [view, dataOf] = await Promise.all([
    showContacts(account, recipients, ports),
    loadData(postgres, { account, recipients, wanted, nowMs }),
  ]);
  const slots = new Slots(RENDERS_AT_ONCE);
  const until = claimedAtMs + leaseMs / 2;
  const tried = new Set<string>();
  const waits = ({ message }: StoredSend) => {
    const isTried = tried.has(message);
    tried.add(message);
    return isTrial && isTried;
  };
  return Promise.all(
    routed.map((one) => {
      const { send } = one;
      const about = {
        ...one,
        recipient: recipients.get(send),
        contact: view.get(send.contact),
        dataOf,
        nowMs,
        hold,
      };
      return slots.run(() => prepareSend(account, { ...about, isLate: performance.now() >= until, waits }, ports));
    }),
  );
}

type View = Awaited<ReturnType<typeof contactRecords>>[number];

/** Contacts as answers show them, by the number that a send names. */
async function showContacts(
  account: Account,
  recipients: Recipients,
  { postgres }: SenderPorts,
): Promise<Map<number, View>> {
  const rows = new Map([...recipients].map(([{ contact }, { row }]) => [contact, row]));
  const found = [...rows].flatMap(([number, row]) => (row === null ? [] : [{ number, row }]));
  if (found.length === 0) return new Map();
  const rules = await loadAttributeRules(postgres, account);
  const records = await contactRecords(
    found.map(({ row }) => row),
    { account, session: postgres, rules },
  );
  return new Map(
    found.flatMap(({ number }, index) => {
      const record = records[index];
      return record === undefined ? [] : [[number, record] as const];
    }),
  );
}

interface Preparing extends RoutedSend {
  readonly hold: MessageHold;
  readonly recipient: Recipient | undefined;
  /** Others of the window took so long that its claim would be over before it is rendered. */
  readonly isLate: boolean;
  /** Another send of the message is tried: this one waits. */
  readonly waits: (send: StoredSend) => boolean;
  readonly contact: View | undefined;
  readonly dataOf: DataOfSend;
  readonly nowMs: number;
}

async function prepareSend(
  account: Account,
  { send: stored, recipient, wanted, transport, contact, dataOf, isLate, waits, nowMs, hold }: Preparing,
  ports: SenderPorts,
): Promise<PreparedSend> {
  const send = { ...stored, variant: wanted?.variant ?? stored.variant };
  const zone = zoneOfContact(account, contact?.attributes ?? {}) ?? account.settings.timezone;
  const judging = {
    settings: account.settings.messaging,
    zone,
    hasMessage: wanted !== undefined,
    nowMs,
    ...WITHOUT_OTHERS,
  };
  const verdict = judge(send, recipient, { ...judging, isHeldOut: wanted?.isHeldOut ?? false });
  const shared = { send, wanted, zone };
  if (verdict.kind !== "send" || wanted === undefined) {
    const outcome = verdict.kind === "send" ? ({ kind: "skip", reason: "template-deleted" } as const) : verdict;
    return { ...shared, transport: undefined, outcome };
  }
  if (transport === undefined) {
    const outcome = { kind: "hold", reason: "transport", until: nowMs + NO_TRANSPORT_HOLD_MS } as const;
    return { ...shared, transport, outcome };
  }
  if (isLate || waits(send)) return { ...shared, transport, outcome: { kind: "hold", reason: "render", until: nowMs } };
  const data = dataOf(stored);
  if (data.kind === "refused") {
    const outcome = { kind: "skip", reason: "render-failed", text: `/message/data: ${data.message}` } as const;
    return { ...shared, transport, outcome };
  }
  const noMemory = { kind: "hold", reason: "render", until: nowMs + MEMORY_HOLD_MS } as const;
  const { attachments } = wanted;
  if (wanted.isTooMuch === true || !hold.take(attachmentBytes(attachments)))
    return { ...shared, transport, outcome: noMemory };
  const { address } = verdict;
  const { tokens } = ports;
  const { vanityDomainKey } = wanted.message;
  const trackingUrl = linkBaseOf({
    trackingUrl: ports.trackingUrl,
    settings: account.settings.messaging,
    vanityDomainKey,
  });
  const composing = { account, send, wanted, contact: contact ?? emptyContact(send, address), address, transport };
  const outcome = await composeSend({ ...composing, data: data.data, trackingUrl, tokens, nowMs }, ports.renders);
  const isHeld = outcome.kind !== "composed" || hold.take(composedBytes(outcome.mail, attachments));
  return { ...shared, transport, outcome: isHeld ? outcome : noMemory };
}

/** A test may go to somebody whom nobody knows. */
function emptyContact({ cid, channel }: StoredSend, address: string): object {
  return {
    cID: cid,
    identifiers: {},
    channels: { [channel]: { address, subscribeStatus: "none" } },
    attributes: {},
    lists: [],
  };
}

/** Returns the records that a message shows to the contact of its send, or why there are none. */
type DataOfSend = (send: StoredSend) => MessageDataOutcome;

interface DataWanted {
  readonly account: Account;
  readonly recipients: Recipients;
  readonly wanted: ReadonlyMap<StoredSend, WantedMessage>;
  readonly nowMs: number;
}

/** Loads the records that the messages of a window show, for all of their contacts together. */
async function loadData(session: Session, { account, recipients, wanted, nowMs }: DataWanted): Promise<DataOfSend> {
  const named = [...wanted].flatMap(([send, { message }]) => {
    const sources = dataOf(message.content);
    return sources.length === 0 ? [] : [{ send, sources, person: recipients.get(send)?.row?.number ?? send.contact }];
  });
  // Messages that name the same sources are loaded together.
  const groups = [...Map.groupBy(named, ({ sources }) => JSON.stringify(sources)).values()];
  const loaded = await Promise.all(
    groups.map(async (same) => {
      const contacts = [...new Set(same.map(({ person }) => person))];
      const asked = { account, contacts, nowMs, bytesMax: messageLimits.contextBytes };
      const recordsOf = await messageDataOf(session, same[0]?.sources ?? [], asked);
      return same.map(({ send, person }) => [send, recordsOf(person)] as const);
    }),
  );
  const bySend = new Map(loaded.flat());
  return (send) => bySend.get(send) ?? NOTHING;
}
