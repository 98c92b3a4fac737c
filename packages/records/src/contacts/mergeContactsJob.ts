import type { Account, JobInput } from "@headwater/contracts";
import { defineJob, type StepEnd, type Work } from "@headwater/jobs/runner/jobKind";
import { HeadwaterError } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import { type FoldResult, noChangeEvents } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import { countOrdersOfContact, orderIdsOfContact } from "../orders/ordersOfContact.ts";
import { writeState } from "../writes/writeState.ts";
import { fitTogether } from "./contactBounds.ts";
import type { Origin } from "./contactIndex.ts";
import { readContactByCid } from "./contactReads.ts";
import { lockContacts } from "./contacts.ts";
import { type MergeDone, mergeAsAsked, moveOrdersAhead } from "./mergeAsAsked.ts";
import type { Contact } from "./model.ts";

/** Orders that one write moves. */
const ORDERS_A_STEP = 1_000;

const progress = z.object({
  /** Steps before this one, and the orders they moved. */
  steps: z.number(),
  orders: z.number(),
  /** cID of who keeps those that are to be ignored. */
  keeper: z.string().optional(),
});
type Progress = z.output<typeof progress>;
type Merging = Pick<Work<JobInput<"MergeContacts">, Progress>, "jobId" | "account" | "input" | "nowMs" | "progress">;

/**
 * The merge is one write of the state, with its change records, as every other. Where it parts orders from activities it comes last:
 * the orders go ahead of it, so many a step; what has been moved when the job is cancelled stays there. What is to be ignored stays with a
 * contact that nobody finds: rows of ClickHouse follow the alias of their number, so a plain merge would bring it along.
 */
export const mergeContactsJob = defineJob({
  jobName: "MergeContacts",
  progress,
  step,
});

async function step(work: Merging, transaction: Transaction): End {
  const { account, input } = work;
  const orders = partsOrders(input) ? await ordersOfSource(transaction, account, input) : { ids: [], count: 0 };
  const isMany = orders.count > ORDERS_A_STEP && orders.ids.length > 0;
  return isMany ? moveSome(work, transaction, orders) : mergeAll(work, transaction, orders);
}

/** Steps of a merge that a dry run makes: each moves 1,000 orders at the most. */
const STEPS_MAX = 3;

/**
 * Makes all steps of a merge in one transaction, which its caller rolls back.
 * @returns false for a merge of more orders than a dry run moves. Throws what the job fails with.
 */
export async function rehearseMerge(transaction: Transaction, work: Omit<Merging, "progress">): Promise<boolean> {
  let progress: Progress | undefined;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const end = await step({ ...work, progress }, transaction);
    if (end.kind !== "more") return end.kind === "done";
    progress = end.progress;
  }
  return false;
}

interface OrdersOfSource {
  /** The first of those that are moved one by one. */
  readonly ids: readonly string[];
  readonly count: number;
}

/** Else the database moves them with the contact. */
function partsOrders({ options }: JobInput<"MergeContacts">): boolean {
  return options.orders === "ignore" || options.events === "ignore";
}

/**
 * Lists the source's orders to move: while the contact is locked nobody gives it another one. Those that stay with their activities are
 * not moved.
 */
async function ordersOfSource(
  transaction: Transaction,
  { number: account }: Account,
  { source, destination, options }: JobInput<"MergeContacts">,
): Promise<OrdersOfSource> {
  const found = await readContactByCid(transaction, account, source);
  if (found === undefined) throw noContact(source);
  const into = await readContactByCid(transaction, account, destination);
  if (into?.number === found.number) return { ids: [], count: 0 };
  const contact = { account, contact: found.number };
  const [locked] = await lockContacts(transaction, [{ account, number: found.number }]);
  // Merged between look and lock: its orders are another contact's now.
  if (locked?.mergedInto !== null) throw new WriteConflict("the source of a merge was merged itself");
  const count = await countOrdersOfContact(transaction, contact);
  const stay = options.orders === "ignore" && options.events === "ignore";
  return { ids: stay ? [] : await orderIdsOfContact(transaction, contact, ORDERS_A_STEP), count };
}

type End = Promise<StepEnd<Progress>>;
const atFirst: Progress = { steps: 0, orders: 0 };

async function moveSome(work: Merging, transaction: Transaction, { ids }: OrdersOfSource): End {
  const { input, progress: before = atFirst } = work;
  const { result } = await write(work, { transaction, ids }, (state, origin, pair) =>
    pair === undefined
      ? { keeper: undefined, changeEvents: noChangeEvents }
      : moveOrdersAhead(state, { ...pair, orders: ids }, input.options, origin),
  );
  const { steps, orders } = before;
  const stored = result.keeper?.cid ?? before.keeper;
  return {
    kind: "more",
    progress: { steps: steps + 1, orders: orders + ids.length, ...(stored && { keeper: stored }) },
  };
}

async function mergeAll(work: Merging, transaction: Transaction, { ids, count }: OrdersOfSource): End {
  const { input, progress: before = atFirst } = work;
  const { result } = await write(work, { transaction, ids }, (state, origin, pair) =>
    pair === undefined
      ? { done: undefined, changeEvents: noChangeEvents }
      : mergeAsAsked(state, { ...pair, orders: ids }, input.options, origin),
  );
  const { done } = result;
  const one = { kind: "done", totalItems: 1, completedItems: 1 } as const;
  if (done === undefined) return { ...one, result: { totalRecords: 1, ignored: 1 } };
  const orders = countsOf(input, before.orders + count);
  const counted: MergeDone = partsOrders(input) ? { ...done, orders } : done;
  return { ...one, result: { totalRecords: 1, updated: 1 }, metadata: { done: counted } };
}

function countsOf({ options }: JobInput<"MergeContacts">, orders: number): MergeDone["orders"] {
  return options.orders === "ignore" ? { moved: 0, left: orders } : { moved: orders, left: 0 };
}

interface Pair {
  readonly source: Contact;
  readonly destination: Contact;
  readonly keeper: Contact | undefined;
}

/** They may have become one, or one of them another contact, since the job was asked for. */
function write<Result extends FoldResult>(
  { jobId, account, input, nowMs, progress: { steps, keeper } = atFirst }: Merging,
  { transaction, ids }: { readonly transaction: Transaction; readonly ids: readonly string[] },
  fold: (state: FoldState, origin: Origin, pair: Pair | undefined) => Result,
) {
  return writeState({ transaction, nowMs }, account, {
    kind: "merge",
    recordId: `${jobId}:${steps}:0`,
    reads: { identifiers: [], members: false, orderIds: ids },
    fold(state, origin) {
      const [source, destination] = [find(state, input.source), find(state, input.destination)];
      const isSame = source.number === destination.number;
      if (!isSame && !fitTogether(source, destination, account.settings)) throw tooLarge();
      const existing = keeper === undefined ? undefined : state.find({ name: "cID", value: keeper });
      return fold(state, origin, isSame ? undefined : { source, destination, keeper: existing });
    },
  });
}

function find(state: FoldState, cid: string): Contact {
  const contact = state.find({ name: "cID", value: cid });
  if (contact === undefined) throw noContact(cid);
  return contact;
}

function tooLarge(): HeadwaterError {
  const publicMessage = "The merged contact would exceed the size limit of a contact.";
  return new HeadwaterError({ code: "CONTACT_TOO_LARGE", status: 422, publicMessage });
}

function noContact(cid: string): HeadwaterError {
  const publicMessage = `Contact ${cid} no longer exists.`;
  return new HeadwaterError({ code: "CONTACTS_CONTACT_NOT_FOUND", status: 404, publicMessage });
}
