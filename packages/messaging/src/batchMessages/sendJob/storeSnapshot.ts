import { type Account, readExperimentState } from "@headwater/contracts";
import type { StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readClearsOf } from "@headwater/records/attributes/attributeClears";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { loadContacts } from "@headwater/records/contacts/contacts";
import { waitsForChampion } from "../../experiments/chooseVariant.ts";
import { resolveHeldSends } from "../heldSends.ts";
import { countMessageSends } from "../messageSends.ts";
import { contactsWithRow, deleteChunks, insertChunks, readChunkTotals, skipContacts } from "../sendChunks.ts";
import { type SendingMessage, setSnapshotReady } from "../startMessages.ts";
import { zoneOfContact } from "../zoneOfContact.ts";
import { cutChunks } from "./cutChunks.ts";
import { type FrozenExperiment, readFrozen } from "./frozen.ts";
import type { SendProgress } from "./progress.ts";
import type { SeenAudience } from "./takeSnapshot.ts";

/** Contacts in memory at once: at the largest size of a contact some tens of MiB. */
const CONTACTS_AT_ONCE = 100;

export interface SnapshotStep {
  readonly message: SendingMessage;
  readonly account: Account;
  /** Undefined where nothing was read. */
  readonly seen: SeenAudience | undefined;
  readonly progress: SendProgress;
  readonly nowMs: number;
}

type End = StepEnd<SendProgress>;

/** A snapshot that waits for ClickHouse is checked again so soon. */
const CHECK_AGAIN_SECONDS = 1;
const LEFT = "left-audience";

/** Stores the part of the audience that was read, unless the message was paused or resumed meanwhile. */
export async function storeSnapshot(transaction: Transaction, step: SnapshotStep): Promise<End> {
  const { message, seen, progress } = step;
  if (seen === undefined || seen.of !== message.updatedAt) return { kind: "more", progress: { phase: "snapshot" } };
  if (seen.kind === "behind") {
    const stored = { of: seen.of, marks: seen.marks };
    return { kind: "wait", progress: { phase: "snapshot", stored }, seconds: CHECK_AGAIN_SECONDS, isThrottled: true };
  }
  if (seen.kind === "filled") {
    const { last } = await readChunkTotals(transaction, message);
    return { kind: "more", progress: { phase: "clear", table: seen.table, of: seen.of, first: last + 1 } };
  }
  if (seen.kind === "old" && progress.phase === "clear") return clearOld(transaction, { ...step, seen, progress });
  if (seen.kind === "held" && progress.phase === "clear") return clearHeld(transaction, { ...step, seen, progress });
  if (seen.kind === "page" && progress.phase === "chunks") return storePage(transaction, { ...step, seen, progress });
  return { kind: "more", progress: { phase: "snapshot" } };
}

type Stepping<Kind, Phase> = SnapshotStep & {
  readonly seen: Extract<SeenAudience, { readonly kind: Kind }>;
  readonly progress: Extract<SendProgress, { readonly phase: Phase }>;
};

/** Skips contacts that left the audience before their turn; the others are in the new chunks. */
async function clearOld(
  transaction: Transaction,
  { message, seen: { chunks, staying }, progress, nowMs }: Stepping<"old", "clear">,
): Promise<End> {
  const left = chunks.flatMap(({ contacts }) => contacts.filter((contact) => !staying.has(contact)));
  const { channel, classification } = readFrozen(message.frozen);
  const skipped = { contacts: left, channel, classification, reason: LEFT };
  await skipContacts(transaction, { ...message, nowMs }, skipped);
  await deleteChunks(
    transaction,
    message,
    chunks.map(({ n }) => n),
  );
  return { kind: "more", progress };
}

/** Skips contacts that left the audience while their wanted sends were held, and lets the others go on. */
async function clearHeld(
  transaction: Transaction,
  { message, seen: { held, staying }, progress, nowMs }: Stepping<"held", "clear">,
): Promise<End> {
  const { table, of, first } = progress;
  if (held.length === 0) {
    return { kind: "more", progress: { phase: "chunks", table, of, first, next: first, after: null } };
  }
  const ofThose = (stay: boolean) =>
    held.filter(({ person }) => staying.has(person) === stay).map(({ contact }) => contact);
  const compared = { left: ofThose(false), staying: ofThose(true), reason: LEFT };
  await resolveHeldSends(transaction, { ...message, nowMs }, compared);
  return { kind: "more", progress };
}

async function storePage(
  transaction: Transaction,
  { message, account, seen: { contacts, last, isLast }, progress, nowMs }: Stepping<"page", "chunks">,
): Promise<End> {
  const known = await contactsWithRow(transaction, message, contacts);
  const fresh = contacts.filter((contact) => !known.has(contact));
  const isZoned = message.scheduleType === "contact" && message.scheduleAt !== null;
  const zones = isZoned ? await zonesOfContacts(transaction, account, fresh) : undefined;
  const { timezone } = account.settings;
  const schedule = { scheduleAt: message.scheduleAt ?? nowMs, timezone };
  const { priority, experiment } = readFrozen(message.frozen);
  const waiting = waitingOf(message, { experiment, contacts: fresh });
  const chunks = cutChunks(fresh, { first: progress.next, zones, schedule, waiting, nowMs });
  await insertChunks(transaction, { ...message, priority }, chunks);
  const next = progress.next + chunks.length;
  if (!isLast) return { kind: "more", progress: { ...progress, next, after: last ?? progress.after } };
  return finish(transaction, { message, isZoned, nowMs });
}

/** Returns the contacts that wait until a champion was decided: none of them after that. */
function waitingOf(
  { id, experiment: learnt }: SendingMessage,
  { experiment, contacts }: { readonly experiment: FrozenExperiment | undefined; readonly contacts: readonly number[] },
): Set<number> {
  if (experiment === undefined || readExperimentState(learnt).decision !== undefined) return new Set();
  return new Set(contacts.filter((contact) => waitsForChampion(experiment, { message: id, contact })));
}

interface Finishing {
  readonly message: SendingMessage;
  readonly isZoned: boolean;
  readonly nowMs: number;
}

async function finish(transaction: Transaction, { message, isZoned, nowMs }: Finishing): Promise<End> {
  const { account, id } = message;
  const { contacts } = await readChunkTotals(transaction, message);
  const { rows } = await countMessageSends(transaction, message);
  const audienceTotal = rows + contacts;
  await setSnapshotReady(transaction, { account, id, audienceTotal, isZoned }, nowMs);
  return { kind: "more", progress: { phase: "snapshot" }, totalItems: audienceTotal };
}

/** Returns the zone of each contact that says one. */
async function zonesOfContacts(
  transaction: Transaction,
  account: Account,
  contacts: readonly number[],
): Promise<Map<number, string>> {
  const zones = new Map<number, string>();
  const clears = await readClearsOf(transaction, account.number);
  for (let next = 0; next < contacts.length; next += CONTACTS_AT_ONCE) {
    const keys = contacts.slice(next, next + CONTACTS_AT_ONCE).map((number) => ({ account: account.number, number }));
    for (const row of await loadContacts(transaction, keys)) {
      const { attributes } = fromRow(row, clears);
      const zone = zoneOfContact(
        account,
        Object.fromEntries([...attributes].map(([name, { value }]) => [name, value])),
      );
      if (zone !== undefined) zones.set(row.number, zone);
    }
  }
  return zones;
}
