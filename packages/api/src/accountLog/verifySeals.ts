import type { Session } from "@headwater/postgres/connection/session";
import { digestOf, macOf, NO_KEY, type Seal, type SealableEntry, type SealKey } from "./seal.ts";
import { pageSeals, readLastSeal, readSealedEntries } from "./seals.ts";

/** Finding of a check of the log. All but `restored` and `keyless` mean that somebody changed it. */
export interface LogFinding {
  readonly kind:
    | "changed"
    | "missing"
    | "added"
    | "sealChanged"
    | "sealMissing"
    | "beginningCut"
    | "tailCut"
    | "otherHistory"
    | "unknownKey"
    | "keyless"
    | "restored"
    | "notSealed";
  readonly seal?: number;
  /** Id of the entry. */
  readonly entry?: string;
  readonly message: string;
}

export interface LogCheck {
  readonly seals: number;
  readonly entries: number;
  /** Entries that no seal holds yet. */
  readonly unsealed: number;
  /** Entries of before there were seals. */
  readonly unsealable: number;
  readonly last: Pick<Seal, "number" | "mac" | "sealedAt"> | undefined;
  /** The first thousand. */
  readonly findings: readonly LogFinding[];
}

export interface VerifyOptions {
  /** Keys of seals; the one that has a seal's id verifies it. */
  readonly keys: readonly SealKey[];
  /** Last seal as a process log names it, outside of the database. */
  readonly expected?: { readonly number: number; readonly mac: string } | undefined;
}

const SEALS_AT_A_TIME = 20;
const FINDINGS_MAX = 1_000;
/** Seals follow their entries within a minute; a worker that was stopped catches up at its start. */
const SEALED_WITHIN_MS = 10 * 60_000;

const restStatement = {
  text: `SELECT count(*) FILTER (WHERE tx IS NOT NULL) AS unsealed, count(*) FILTER (WHERE tx IS NULL) AS unsealable,
      min(at) FILTER (WHERE tx IS NOT NULL) AS "oldestAt", account_log_kept_from() AS "keptFrom",
      (extract(epoch FROM now()) * 1000)::bigint AS "nowMs"
    FROM account_log WHERE tx IS NULL OR tx >= $1`,
};
const lateStatement = {
  text: "SELECT id FROM account_log WHERE tx IS NULL AND at >= $1 ORDER BY at, id LIMIT $2",
};

/**
 * Checks every seal and every entry, in one snapshot that the caller opens: finds entries that were changed, taken away or put in between, seals
 * that were changed, and a beginning or an end that was cut off. Entries of more than 400 days may be gone.
 */
export async function verifySeals(session: Session, { keys, expected }: VerifyOptions): Promise<LogCheck> {
  const last = await readLastSeal(session);
  const [rest] = await session.query<{
    unsealed: number;
    unsealable: number;
    oldestAt: number | null;
    keptFrom: number;
    nowMs: number;
  }>(restStatement, [last?.toTx ?? 0]);
  if (rest === undefined) throw new Error("a count has one row");
  const { keptFrom, nowMs, oldestAt, unsealed, unsealable } = rest;
  const findings: LogFinding[] = [];
  const add = (more: readonly LogFinding[]) => findings.push(...more.slice(0, FINDINGS_MAX - findings.length));
  const counted = { seals: 0, entries: 0 };
  let before: Seal | undefined;
  for (;;) {
    const seals = await pageSeals(session, before?.number ?? 0, SEALS_AT_A_TIME);
    for (const seal of seals) {
      add(checkChain(seal, before, keptFrom));
      add(checkExpected(seal, expected));
      add(checkEntries(seal, await readSealedEntries(session, seal), { keys, keptFrom }));
      if (before === undefined) add(await findLate(session, seal));
      counted.seals += 1;
      counted.entries += seal.ids.length;
      before = seal;
    }
    if (seals.length < SEALS_AT_A_TIME) break;
  }
  if (expected !== undefined && (last?.number ?? 0) < expected.number) add([tailCut(last, expected.number)]);
  if (oldestAt !== null && nowMs - oldestAt > SEALED_WITHIN_MS) {
    add([
      { kind: "notSealed", message: `${unsealed} entries wait for a seal for more than 10 minutes: no worker seals.` },
    ]);
  }
  return { ...counted, unsealed, unsealable, last, findings };
}

function tailCut(last: Seal | undefined, expected: number): LogFinding {
  const end = last === undefined ? "there is no seal" : `the last seal is ${last.number}`;
  return {
    kind: "tailCut",
    message: `Seal ${expected} is gone: ${end}. The end was cut off, or an older backup was restored.`,
  };
}

function checkExpected({ number, mac }: Seal, expected: VerifyOptions["expected"]): LogFinding[] {
  if (expected?.number !== number || expected.mac === mac) return [];
  const message = `Seal ${number} is another one than the process log names: a backup was restored, or the log was written again.`;
  return [{ kind: "otherHistory", seal: number, message }];
}

function checkChain(seal: Seal, before: Seal | undefined, keptFrom: number): LogFinding[] {
  const { number, previous, previousAt, system, timeline } = seal;
  if (before === undefined) {
    if (number === 1 || previousAt < keptFrom) return [];
    return [
      { kind: "beginningCut", seal: number, message: `The seals before ${number} are gone, and are not 400 days old.` },
    ];
  }
  const findings: LogFinding[] = [];
  if (number !== before.number + 1) {
    findings.push({
      kind: "sealMissing",
      seal: number,
      message: `The seals between ${before.number} and ${number} are gone.`,
    });
  } else if (previous !== before.mac || seal.fromTx !== before.toTx) {
    findings.push({
      kind: "sealChanged",
      seal: number,
      message: `Seal ${number} does not follow from seal ${before.number}.`,
    });
  }
  if (system !== before.system || timeline !== before.timeline) {
    const message = `Before seal ${number} a backup was restored or a standby took over: cluster ${system}, timeline ${timeline}.`;
    findings.push({ kind: "restored", seal: number, message });
  }
  return findings;
}

interface CheckedBy {
  readonly keys: readonly SealKey[];
  readonly keptFrom: number;
}

function checkEntries(seal: Seal, entries: readonly SealableEntry[], { keys, keptFrom }: CheckedBy): LogFinding[] {
  const { number, keyId } = seal;
  const key = [...keys, NO_KEY].find(({ id }) => id === keyId);
  if (key === undefined)
    return [{ kind: "unknownKey", seal: number, message: `No key in the file has the id ${keyId}.` }];
  const findings: LogFinding[] = [];
  const add = (kind: LogFinding["kind"], message: string, entry?: string) =>
    findings.push({ kind, seal: number, message, ...(entry !== undefined && { entry }) });
  if (key === NO_KEY) add("keyless", `Seal ${number} was made without a settings key.`);
  if (macOf(seal, key) !== seal.mac) add("sealChanged", `Seal ${number} was changed.`);
  const present = new Map(entries.map((entry) => [entry.id, entry]));
  seal.ids.forEach((id, index) => {
    const entry = present.get(id);
    if (entry === undefined) {
      if ((seal.ats[index] ?? 0) >= keptFrom) add("missing", `Entry ${id} was taken away.`, id);
    } else if (digestOf(entry, key) !== seal.digests[index]) add("changed", `Entry ${id} was changed.`, id);
    present.delete(id);
  });
  for (const id of present.keys()) add("added", `Entry ${id} was put in after its time.`, id);
  return findings;
}

/** Entries without a number of their transaction are older than the first seal. */
async function findLate(session: Session, { sealedAt }: Seal): Promise<LogFinding[]> {
  const rows = await session.query<{ id: string }>(lateStatement, [sealedAt, FINDINGS_MAX]);
  return rows.map(({ id }) => ({ kind: "added", entry: id, message: `Entry ${id} was put in past the seals.` }));
}
