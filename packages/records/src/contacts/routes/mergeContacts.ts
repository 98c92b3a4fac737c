import { changesOf } from "@headwater/api/dryRun/changes";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Account, contactMergeOptions } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import { HeadwaterError } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import type { StoredContact } from "../contacts.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import { rehearseMerge } from "../mergeContactsJob.ts";
import { readView } from "./getContact.ts";

const PRIMARY_KEY_CHARACTERS_MAX = 1_100;
const primaryKey = storableText(PRIMARY_KEY_CHARACTERS_MAX).min(1);

const body = z.object({
  sourceContact: primaryKey,
  destinationContact: primaryKey,
  options: contactMergeOptions,
});
type MergeBody = z.output<typeof body>;

const mergeAnswer = z.strictObject({ jobId: z.string(), jobID: z.string(), message: z.string() });
const mergeExample = {
  jobId: "65f0c0ffee65f0c0ffee0001",
  jobID: "65f0c0ffee65f0c0ffee0001",
  message: "The contacts are merged when the job is done.",
};
const requestExample = {
  sourceContact: "customer_id:17851",
  destinationContact: "customer_id:17850",
  options: { email_channels: "destinationContact", attributes: "sourceContact", orders: "merge", cart: "lastModified" },
};

/**
 * Starts the job that merges two contacts.
 * Throws 403 `FEATURE_NOT_ENABLED`, 404 `CONTACTS_CONTACT_NOT_FOUND`, 422 when both are one or together larger than a contact may be.
 */
function startMerge(
  { sourceContact, destinationContact, options }: MergeBody,
  once: OnceCall,
  { postgres, queue, clock }: Pick<RoutePorts, "postgres" | "queue" | "clock">,
): Promise<Answer> {
  const { account, id: createdBy } = once.caller;
  if (!account.settings.features.merge) {
    throw refusal("FEATURE_NOT_ENABLED", "Merging is disabled for this account.");
  }
  return runOnce(postgres, once, async (transaction) => {
    const source = await expectContact(transaction, account, { key: sourceContact, member: "sourceContact" });
    const destination = await expectContact(transaction, account, {
      key: destinationContact,
      member: "destinationContact",
    });
    if (source.number === destination.number) throw sameContact();
    if (source.doc.length + destination.doc.length > account.settings.limits.charactersPerContact) throw tooLarge();
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName: "MergeContacts",
      input: { source: source.cid, destination: destination.cid, options },
      totalItems: 1,
      metadata: { sourceContact: source.cid, destinationContact: destination.cid, options },
      madeBy: createdBy,
      nowMs: clock.nowMs(),
    });
    const answer = startedJob(jobId, { jobID: jobId, message: mergeExample.message });
    return { answer, kept: answer.body };
  });
}

interface Named {
  readonly key: string;
  readonly member: string;
}

async function expectContact(
  transaction: Transaction,
  account: Account,
  { key, member }: Named,
): Promise<StoredContact> {
  const contact = await findContact(transaction, account, readPrimaryKey(key, account));
  if (contact !== undefined) return contact;
  throw refusal("CONTACTS_CONTACT_NOT_FOUND", `No contact has the key in \`${member}\`.`);
}

function tooLarge() {
  const message = "The merged contact would exceed the size limit of a contact.";
  const details = [{ path: "/sourceContact", code: "too_long", message }];
  return refusal("CONTACT_TOO_LARGE", message, { details });
}

function sameContact() {
  const message = "Both keys match the same contact.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/sourceContact", code: "not_allowed", message }] });
}

type MergePorts = Pick<RoutePorts, "attributeRules" | "clock" | "postgres" | "queue">;

/**
 * Merges at once what the job would merge, in the transaction of a dry run. @returns the cID of the survivor, and the members that both contacts
 * have with different values; `fails` where the job would fail.
 */
async function rehearse(
  { sourceContact, destinationContact, options }: MergeBody,
  { caller: { account }, requestId }: OnceCall,
  ports: MergePorts,
): Promise<object> {
  const { clock, postgres } = ports;
  const read = async (key: string) => (await readView(key, account, ports)).shown;
  const [source, destination] = [await read(sourceContact), await read(destinationContact)];
  const input = { source: cidOf(source), destination: cidOf(destination), options };
  const outcome = { survivor: input.destination, conflicts: [] };
  try {
    const isWhole = await postgres.transaction((transaction) =>
      rehearseMerge(transaction, { jobId: requestId, account, input, nowMs: clock.nowMs() }),
    );
    if (!isWhole) return outcome;
    return { ...outcome, conflicts: conflictsOf({ source, destination, merged: await read(input.destination) }) };
  } catch (error) {
    if (!(error instanceof HeadwaterError) || error.retriable) throw error;
    return { ...outcome, fails: { code: error.code, message: error.publicMessage } };
  }
}

function cidOf(contact: object): string {
  return String(Reflect.get(contact, "cID"));
}

const MERGED_GROUPS = /^\/(identifiers|channels|attributes)\//;

interface MergedViews {
  readonly source: object;
  readonly destination: object;
  readonly merged: object;
}

/** Returns the members in which both contacts have a value, and another one. */
function conflictsOf({ source, destination, merged }: MergedViews) {
  const differing = changesOf({ before: source, after: destination }).filter(
    ({ path, from, to }) => MERGED_GROUPS.test(path) && from !== null && to !== null,
  );
  const after = new Set(changesOf({ before: destination, after: merged }).map(({ path }) => path));
  return differing.map(({ path, from, to }) => {
    return { path, source: from, destination: to, wins: after.has(path) ? "source" : "destination" };
  });
}

export function mergeContacts(ports: MergePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/merge",
    operationId: "mergeContacts",
    summary: "Starts a job that merges one contact into another.",
    description:
      "The destination survives; from then on both cIDs and all identifiers match it. `options` selects, per group, which contact wins where both have a value; values that only one has are kept. An unsubscribe of either contact is kept in any case. Ignored orders or events stay with a separate contact that no identifier matches. The job's `metadata.done` lists what was merged.",
    tags: ["contacts"],
    answers: {
      202: { description: "The job has started.", schema: mergeAnswer, example: mergeExample },
      403: { description: "FEATURE_NOT_ENABLED: merging is disabled for this account." },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has one of the keys." },
    },
    requestExample,
    scope: "contacts:write",
    dryRun: {
      class: "checked",
      scope: "contacts:read",
      record: "/v2/contacts/{primary_key}",
      paramsOf: (sent) => ({ primary_key: body.parse(sent).destinationContact }),
      rehearse: ({ body: request, once }) => rehearse(request, once, ports),
    },
    rateClass: "jobStart",
    body,
    handler: ({ body: request, once }) => startMerge(request, once, ports),
  });
}
