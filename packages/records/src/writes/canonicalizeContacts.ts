import { type Account, type Identifier, isNotAnAddress } from "@headwater/contracts";
import { type Clock, newRequestId } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { rehearse } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { type Canonicalized, canonicalFormOf, canonicalizeContact } from "../contacts/canonicalizeContact.ts";
import { pageIdentifierValues } from "../contacts/identifiers.ts";
import { writeState } from "./writeState.ts";

/** Contacts by what became of them, and the first pairs that stay apart. */
export interface CanonicalizedContacts {
  readonly rewritten: number;
  readonly merged: number;
  readonly apart: number;
  /** Contacts of a value that is not an address. */
  readonly invalid: number;
  readonly pairs: readonly ApartPair[];
}

/** Two contacts of one address that may not be merged, by their cIDs. */
export interface ApartPair {
  readonly name: string;
  readonly contacts: readonly [string, string];
}

export interface Canonicalizing {
  readonly account: Account;
  /** Values that are not addresses are marked as invalid, too: an earlier version has stored them. */
  readonly marksInvalid: boolean;
  /** Everything is done and taken back. */
  readonly isTrial: boolean;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Called behind each step, with what was done by then. */
  onStep?(done: CanonicalizedContacts): void;
}

/** Values that are read at once. */
const VALUES_A_PAGE = 10_000;
/** Contacts of one transaction: while it runs, records of theirs wait. */
const CONTACTS_A_STEP = 100;
const PAIRS_DISPLAYED_MAX = 100;

/**
 * Rewrites all addresses of an account that were stored before addresses had one form, step by step, each in a transaction of its own: one
 * that is killed has done whole steps, and the next call finds what is left.
 */
export async function canonicalizeContacts(
  { signal, onStep, ...canonicalizing }: Canonicalizing,
  postgres: Postgres,
): Promise<CanonicalizedContacts> {
  let done: CanonicalizedContacts = { rewritten: 0, merged: 0, apart: 0, invalid: 0, pairs: [] };
  for await (const stored of storedForms(canonicalizing, postgres)) {
    signal?.throwIfAborted();
    done = sumOf(done, stored, await canonicalizeStep(stored, canonicalizing, postgres));
    onStep?.(done);
  }
  return done;
}

/** Yields addresses that are stored in another form than their canonical one, and values that are not addresses, as many as a step takes. */
async function* storedForms(
  { account, marksInvalid }: Pick<Canonicalizing, "account" | "marksInvalid">,
  postgres: Postgres,
): AsyncGenerator<readonly Identifier[]> {
  for (const { name, format } of account.settings.identifiers) {
    if (format === "string") continue;
    let found: Identifier[] = [];
    for await (const value of valuesOf({ account: account.number, name }, postgres)) {
      const isFormer = canonicalFormOf({ name, value }, { account }) !== undefined;
      if (!isFormer && !(marksInvalid && isNotAnAddress({ name, value }))) continue;
      found.push({ name, value });
      if (found.length < CONTACTS_A_STEP) continue;
      yield found;
      found = [];
    }
    if (found.length > 0) yield found;
  }
}

async function* valuesOf(of: { readonly account: number; readonly name: string }, postgres: Postgres) {
  let after = "";
  for (let isLast = false; !isLast; ) {
    const values = await pageIdentifierValues(postgres, { ...of, after, rowsMax: VALUES_A_PAGE });
    yield* values;
    isLast = values.length < VALUES_A_PAGE;
    after = values.at(-1) ?? after;
  }
}

function canonicalizeStep(
  stored: readonly Identifier[],
  { account, isTrial, clock }: Pick<Canonicalizing, "account" | "isTrial" | "clock">,
  postgres: Postgres,
): Promise<readonly Canonicalized[]> {
  return retryOnConflict(() =>
    postgres.transaction(async (transaction) => {
      const write = { stored, account, nowMs: clock.nowMs() };
      if (!isTrial) return writeStep(write, transaction);
      let tried: readonly Canonicalized[] = [];
      await rehearse(transaction, async (part) => {
        tried = await writeStep(write, part);
      });
      return tried;
    }),
  );
}

interface StepWrite {
  readonly stored: readonly Identifier[];
  readonly account: Account;
  readonly nowMs: number;
}

async function writeStep({ stored, account, nowMs }: StepWrite, transaction: Transaction) {
  const identifiers = stored.flatMap((one) => {
    const value = canonicalFormOf(one, { account });
    return value === undefined ? [one] : [one, { name: one.name, value }];
  });
  const { result } = await writeState({ transaction, nowMs }, account, {
    kind: "v2",
    recordId: `${newRequestId(nowMs)}:0:0`,
    reads: { identifiers, members: true },
    fold: (state, origin) => {
      const all = stored.map((one) => canonicalizeContact(state, one, origin));
      return { all, changeEvents: all.flatMap(({ changeEvents }) => changeEvents) };
    },
  });
  return result.all;
}

function sumOf(
  before: CanonicalizedContacts,
  stored: readonly Identifier[],
  step: readonly Canonicalized[],
): CanonicalizedContacts {
  const count = (kind: Canonicalized["kind"]) => step.filter((one) => one.kind === kind).length;
  const pairs = step.flatMap(({ contacts }, index): ApartPair[] => {
    return contacts === undefined ? [] : [{ name: stored[index]?.name ?? "", contacts }];
  });
  return {
    rewritten: before.rewritten + count("rewritten"),
    merged: before.merged + count("merged"),
    apart: before.apart + count("apart"),
    invalid: before.invalid + count("invalid"),
    pairs: [...before.pairs, ...pairs].slice(0, PAIRS_DISPLAYED_MAX),
  };
}
