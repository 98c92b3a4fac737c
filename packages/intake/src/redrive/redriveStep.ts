import { type Account, type JsonPatch, jsonPatch } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { Codec, FrameProducer } from "@headwater/topics";
import { type DeadLetter, takeOpenDeadLetters } from "../deadLetters/deadLetters.ts";
import {
  claimRedrive,
  deadLettersOfRedrive,
  type Redrive,
  refuseDeadLetters,
  setRedriveProgress,
  setRedrivePublished,
  takeDeadLetters,
} from "../deadLetters/redrives.ts";
import { addParts, toMessage } from "./redriveMessages.ts";
import {
  type PassedDeadLetter,
  type Validated,
  validateDeadLetters,
  type WrittenDeadLetter,
} from "./validateDeadLetters.ts";

const ROWS_MAX = 500;
/** Well below what the producer holds in flight. */
const PAYLOAD_CHARACTERS_MAX = 8 * 1024 * 1024;
/** A step whose end is not seen by then is made again; its records are applied once all the same. */
const LEASE_MS = 30_000;
/** The caller's clock may be behind the one that dated the refusal of a record. */
const CLOCKS_APART_MS = 1_000;

export interface RedriveStepOptions {
  readonly postgres: Postgres;
  readonly producer: Pick<FrameProducer, "publish">;
  readonly codec: Pick<Codec, "frame">;
  /** Accounts by number. */
  readonly account: (number: number) => Promise<Account | undefined>;
  readonly clock: Clock;
}

interface Step {
  readonly redrive: Redrive;
  readonly passed: readonly WrittenDeadLetter[];
  /** Dead letters that are marked as this redrive's, once these are written. */
  readonly taken: number;
}

/**
 * One step of the oldest redrive: marks the next dead letters as its own in one transaction, then writes them to the log, then
 * notes that they are there. Killed between any two of these, the next process goes on with what is marked and not noted; a
 * record that is in the log twice then is applied once, for its dead letter waits for one outcome.
 * @returns whether there was anything to do.
 */
export async function stepRedrive(options: RedriveStepOptions): Promise<boolean> {
  const begun = await options.postgres.transaction((transaction) => begin(options, transaction));
  if (begun === "nothing") return false;
  if (begun === "written") return true;
  const { redrive, passed, taken } = begun;
  const messages = passed.map(({ message }) => message);
  const published = messages.length === 0 ? [] : await options.producer.publish(messages);
  await setRedrivePublished(options.postgres, redrive, { published: taken, parts: addParts(redrive.parts, published) });
  return true;
}

async function begin(options: RedriveStepOptions, transaction: Transaction): Promise<Step | "nothing" | "written"> {
  const nowMs = options.clock.nowMs();
  const redrive = await claimRedrive(transaction, nowMs);
  if (redrive === undefined) return "nothing";
  const account = await options.account(redrive.account);
  if (account === undefined) return closeRedrive(transaction, redrive, nowMs);
  const patch = parsePatch(redrive);
  const judging = {
    account,
    redrive,
    patch,
    toMessage: (deadLetter: PassedDeadLetter) => toMessage(options.codec, { redrive, account, letter: deadLetter }),
  };
  const validate = (deadLetters: readonly DeadLetter[]) => validateDeadLetters(deadLetters, judging);
  return redrive.published < redrive.taken
    ? goOn(transaction, { redrive, nowMs, judge: validate })
    : takeNext(transaction, { redrive, nowMs, judge: validate });
}

/** A redrive of an account that is gone ends: what it has taken and not written is open again, and others have their turn. */
async function closeRedrive(transaction: Transaction, redrive: Redrive, nowMs: number): Promise<"written"> {
  const { id, published, taken } = redrive;
  const left = await deadLettersOfRedrive(transaction, {
    id,
    from: published,
    rowsMax: Math.max(1, taken - published),
  });
  const refusal = { code: "RECORD_NOT_FOUND", path: "", message: "The account does not exist." };
  const refusals = left.map(({ recordId }) => ({ recordId, ...refusal }));
  await refuseDeadLetters(transaction, redrive, { refusals, at: nowMs });
  const refused = redrive.refused + refusals.length;
  await setRedriveProgress(transaction, { id, at: nowMs }, { ...redrive, refused, writtenAt: nowMs, leaseUntil: null });
  return "written";
}

interface Work {
  readonly redrive: Redrive;
  readonly nowMs: number;
  readonly judge: (letters: readonly DeadLetter[]) => Validated;
}

/** Dead letters that an earlier step marked: whether they are in the log nobody knows, so they are written (again). */
async function goOn(transaction: Transaction, { redrive, nowMs, judge: check }: Work): Promise<Step> {
  const { id, published: from, taken } = redrive;
  const { passed, refused } = check(await deadLettersOfRedrive(transaction, { id, from, rowsMax: taken - from }));
  // What validation takes may have changed since: a dead letter that it refuses now is open again, unless it was applied.
  await refuseDeadLetters(transaction, redrive, { refusals: refused, at: nowMs });
  await setRedriveProgress(
    transaction,
    { id, at: nowMs },
    { ...redrive, refused: redrive.refused + refused.length, leaseUntil: nowMs + LEASE_MS },
  );
  return { redrive, passed, taken };
}

async function takeNext(transaction: Transaction, { redrive, nowMs, judge }: Work): Promise<Step | "written"> {
  const at = { id: redrive.id, at: nowMs };
  const found = redrive.canceledAt === null ? await nextDeadLetters(transaction, redrive) : noDeadLetters;
  if (found.next === undefined) {
    await setRedriveProgress(transaction, at, { ...redrive, writtenAt: nowMs, leaseUntil: null });
    return "written";
  }
  const letters = firstOf(found.letters);
  const { passed, refused } = judge(letters);
  await takeDeadLetters(transaction, redrive, { recordIds: passed.map(({ letter }) => letter.recordId), at: nowMs });
  await refuseDeadLetters(transaction, redrive, { refusals: refused, at: nowMs });
  const isCut = letters.length < found.letters.length;
  const taken = redrive.taken + passed.length;
  await setRedriveProgress(transaction, at, {
    ...redrive,
    cursor: (isCut ? letters.at(-1) : undefined) ?? found.next,
    taken,
    refused: redrive.refused + refused.length,
    leaseUntil: nowMs + LEASE_MS,
  });
  return { redrive, passed, taken };
}

const noDeadLetters = { letters: [], next: undefined };

function nextDeadLetters(transaction: Transaction, redrive: Redrive) {
  return takeOpenDeadLetters(transaction, filtersOf(redrive), { after: redrive.cursor, rowsMax: ROWS_MAX });
}

/** Selects only what was refused before the redrive was asked for, and nothing that it wrote itself. */
function filtersOf({ id, account, selection, createdAt }: Redrive) {
  const until = createdAt + CLOCKS_APART_MS;
  const to = selection.ids === undefined ? Math.min(selection.to ?? until, until) : selection.to;
  return { ...selection, account, to, notOfRequest: id };
}

/** The first dead letters that are together not too large; one at least. */
function firstOf(letters: readonly DeadLetter[]): readonly DeadLetter[] {
  let characters = 0;
  const end = letters.findIndex(({ payload }, index) => {
    characters += payload.length;
    return index > 0 && characters > PAYLOAD_CHARACTERS_MAX;
  });
  return end < 0 ? letters : letters.slice(0, end);
}

/** Checked when the redrive was asked for. */
function parsePatch({ patch }: Redrive): JsonPatch | undefined {
  return patch === null ? undefined : jsonPatch.parse(JSON.parse(patch));
}
