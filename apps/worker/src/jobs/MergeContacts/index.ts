import type { Account, Contact, JobInput, Origin } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { type FoldState, mergeAsAsked } from "@headwater/operations";
import { writeState } from "@headwater/state";
import { lockContacts, orderIdsOfContact, readContactByCid, type Transaction } from "@headwater/stores";
import { z } from "zod";
import { defineJob } from "../../runner/jobKind.ts";

/** Orders that one write takes from a merge or moves out of it. */
const ORDERS_MAX = 1_000;

/** One step: the merge is one write of the state, with its change records, as every other. */
export const mergeContactsJob = defineJob({
  jobName: "MergeContacts",
  progress: z.never(),
  async step({ jobId, account, input, nowMs }, transaction) {
    const orders = await ordersOfSource(transaction, account, input);
    const fold = (state: FoldState, origin: Origin) => merge(state, { ...input, orders }, origin);
    const write = { kind: "merge", recordId: `${jobId}:0:0`, fold } as const;
    const { result: done } = await writeState({ transaction, nowMs }, account, write);
    const one = { kind: "done", totalItems: 1, completedItems: 1 } as const;
    if (done === "same") return { ...one, result: { totalRecords: 1, ignored: 1 } };
    return { ...one, result: { totalRecords: 1, updated: 1 }, metadata: { done } };
  },
});

interface Asked extends JobInput<"MergeContacts"> {
  readonly orders: readonly string[];
}

/** They may have become one, or one of them another contact, since the job was asked for. */
function merge(state: FoldState, { source, destination, options, orders }: Asked, origin: Origin) {
  const [from, into] = [find(state, source), find(state, destination)];
  if (from.number === into.number) return "same" as const;
  return mergeAsAsked(state, { source: from, destination: into, orders }, options, origin);
}

/** While the contact is locked nobody gives it another one. Only what is left behind or taken out is looked at by itself. */
async function ordersOfSource(
  transaction: Transaction,
  { number: account }: Account,
  { source, options }: JobInput<"MergeContacts">,
): Promise<string[]> {
  if (options.orders === "merge" && options.events === "merge") return [];
  const contact = await readContactByCid(transaction, account, source);
  if (contact === undefined) throw noContact(source);
  await lockContacts(transaction, [{ account, number: contact.number }]);
  const ids = await orderIdsOfContact(transaction, { account, contact: contact.number }, ORDERS_MAX + 1);
  if (ids.length > ORDERS_MAX) throw tooManyOrders();
  return ids;
}

function find(state: FoldState, cid: string): Contact {
  const contact = state.find({ name: "cID", value: cid });
  if (contact === undefined) throw noContact(cid);
  return contact;
}

function noContact(cid: string): HeadwaterError {
  const publicMessage = `There is no contact ${cid} any more.`;
  return new HeadwaterError({ code: "CONTACTS_CONTACT_NOT_FOUND", status: 404, publicMessage });
}

function tooManyOrders(): HeadwaterError {
  const publicMessage = `A merge that ignores orders or events takes at most ${ORDERS_MAX} orders of the source.`;
  return new HeadwaterError({ code: "VALIDATION_ERROR", status: 422, publicMessage });
}
