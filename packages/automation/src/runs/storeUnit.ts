import { wantIdOf } from "@headwater/kernel";
import { readPublishedTemplates } from "@headwater/messaging/templates/templates";
import { lockRecipients, wantSends } from "@headwater/messaging/templates/wantSends";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { VersionName } from "../orchestrations/postgres.ts";
import { addRefusals, deleteAsked, insertGoals, insertQuestions, insertSteps, insertTasks } from "./effectRows.ts";
import { lockEntries, storeEntries } from "./entryRows.ts";
import { type Journeys, versionKey } from "./journeys.ts";
import * as runs from "./postgres.ts";
import { publishRunEvents } from "./runEvents.ts";
import { RunUnit, type WantedSend } from "./runUnit.ts";
import { cancelSends, insertRunSends, type RunSendRow } from "./sendRows.ts";

export interface UnitPorts {
  readonly journeys: Journeys;
  /** Called with the number of inputs that runs took, before they are committed. */
  readonly onApplied?: (inputs: number) => void;
  /** Called for a run that cannot be stepped and fails, with the error: a defect of ours. */
  readonly onBroken?: (run: runs.RunKey, error: unknown) => void;
}

/** Rounds of sends that are skipped at once, each followed by what their runs want next. */
const ROUNDS_MAX = 1_000;

/**
 * Steps runs within a transaction and stores them with all that they want: run, sends, questions, calls, counts. What gave them their inputs is
 * the caller's to store in the same transaction, so none is given twice.
 */
export async function stepRuns<Result>(
  transaction: Transaction,
  ports: UnitPorts & { readonly nowMs: number },
  work: (unit: RunUnit) => Promise<Result>,
): Promise<Result> {
  const unit = new RunUnit({
    runs: async (keys) => withJourneys(transaction, ports, await runs.lockRuns(transaction, keys)),
    entries: (keys) => lockEntries(transaction, keys),
    isKnown: async (key) => (await runs.readKnownRuns(transaction, [key])).length > 0,
    onBroken: (key, error) => ports.onBroken?.(key, error),
  });
  const result = await work(unit);
  const stored = await storeSends(transaction, ports, unit);
  const { inserted, updated, deleted } = unit.changes();
  await runs.deleteRuns(transaction, deleted);
  await runs.insertRuns(transaction, inserted);
  await runs.updateRuns(transaction, updated);
  await Promise.all([
    storeEntries(transaction, unit.changedEntries()),
    insertSteps(transaction, unit.steps),
    insertGoals(transaction, unit.goals),
    insertQuestions(transaction, unit.questions, ports.nowMs),
    insertTasks(transaction, unit.tasks, ports.nowMs),
    addRefusals(transaction, unit.refusals),
    insertRunSends(transaction, stored),
  ]);
  await deleteAsked(transaction, unit.ended);
  await publishRunEvents(transaction, { ended: unit.ended, sends: stored, nowMs: ports.nowMs });
  await cancelSends(transaction, unit.cancels, ports.nowMs);
  ports.onApplied?.(unit.applied);
  return result;
}

/** Adds the versions that runs follow. A run whose version is gone belongs to an account that is. */
export async function withJourneys(
  transaction: Transaction,
  { journeys }: Pick<UnitPorts, "journeys">,
  stored: readonly runs.StoredRun[],
): Promise<runs.SteppedRun[]> {
  const nameOf = ({ account, orchestration, run: { version } }: runs.StoredRun): VersionName => ({
    account,
    orchestration,
    version,
  });
  const found = await journeys.of(transaction, stored.map(nameOf));
  return stored.flatMap((one) => {
    const journey = found.get(versionKey(nameOf(one)));
    return journey === undefined ? [] : [{ ...one, journey }];
  });
}

/** Stores the sends that runs want. A run whose template or contact is gone goes on at once, and may want another one. */
async function storeSends(
  transaction: Transaction,
  ports: UnitPorts & { readonly nowMs: number },
  unit: RunUnit,
): Promise<RunSendRow[]> {
  const stored: RunSendRow[] = [];
  for (let from = 0, rounds = 0; from < unit.sends.length; rounds++) {
    if (rounds === ROUNDS_MAX) throw new Error(`runs wanted sends ${ROUNDS_MAX} times in a row`);
    const next = unit.sends.slice(from);
    from = unit.sends.length;
    const cancelled = new Set(unit.cancels.map(({ effect }) => effect));
    const open = next.filter(({ effect }) => !cancelled.has(effect.id));
    for (const [number, own] of Map.groupBy(open, ({ account }) => account)) {
      stored.push(...(await storeOfAccount(transaction, { number, own, unit }, ports)));
    }
  }
  return stored;
}

interface OwnSends {
  readonly number: number;
  readonly own: readonly WantedSend[];
  readonly unit: RunUnit;
}

async function storeOfAccount(
  transaction: Transaction,
  { number, own, unit }: OwnSends,
  { journeys, nowMs }: UnitPorts & { readonly nowMs: number },
): Promise<RunSendRow[]> {
  const account = await journeys.account(transaction, number);
  if (account === undefined) return [];
  const keys = [...new Set(own.map(({ effect }) => effect.template))];
  const recipients = await lockRecipients(
    transaction,
    account,
    own.map(({ run }) => run.contact),
  );
  const templates = new Map((await readPublishedTemplates(transaction, number, keys)).map((one) => [one.key, one]));
  const wanted = own.map((send) => {
    const { effect, run } = send;
    const [template, recipient] = [templates.get(effect.template), recipients.get(run.contact)];
    const want = wantIdOf("run", number, effect.id);
    return { send, template, recipient, want };
  });
  const able = wanted.flatMap(({ send, template, recipient, want }) => {
    if (template === undefined || recipient === undefined) return [];
    const { extVars, expiresAt } = send.effect;
    const texts = { mergeData: JSON.stringify(extVars), event: JSON.stringify(send.run.start.event) };
    return [{ send, template, recipient, want, expiresAt, ...texts }];
  });
  const sends = await wantSends(transaction, { account, kind: "o", wanted: able, nowMs });
  const skipped = await skipSends(number, unit, wanted);
  const byWant = new Map(able.map((one) => [one.want, one.send]));
  const stored = sends.flatMap(({ want, message, contact, cid, n }) => {
    const send = byWant.get(want ?? "");
    return want === null || send === undefined ? [] : [{ ...rowOf(number, want, send), message, contact, cid, n }];
  });
  return [...stored, ...skipped];
}

interface Wanted {
  readonly send: WantedSend;
  readonly template: object | undefined;
  readonly recipient: object | undefined;
  readonly want: string;
}

/** Lets runs go on whose template or contact is gone. */
async function skipSends(account: number, unit: RunUnit, wanted: readonly Wanted[]): Promise<RunSendRow[]> {
  const rows: RunSendRow[] = [];
  for (const { send, template, recipient, want } of wanted) {
    if (template !== undefined && recipient !== undefined) continue;
    const reason = recipient === undefined ? "not-found" : "template-deleted";
    rows.push({ ...rowOf(account, want, send), message: "", cid: "", n: 0, reason });
    const outcome = { kind: "outcome", effect: send.effect.id, at: send.run.at, result: "skipped", reason } as const;
    await unit.apply({ account, id: send.run.id }, outcome);
  }
  return rows;
}

function rowOf(account: number, want: string, { effect, run, orchestration }: WantedSend) {
  const { id, node, template } = effect;
  return { account, want, effect: id, run: run.id, orchestration, node, template, contact: run.contact };
}
