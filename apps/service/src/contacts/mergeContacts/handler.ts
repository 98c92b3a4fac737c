import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { StoredContact } from "@headwater/stores/contacts";
import { startJob } from "@headwater/stores/jobs";
import type { Transaction } from "@headwater/stores/postgres";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { startedJob } from "../../jobs/startedJob.ts";
import type { ServicePorts } from "../../ports.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import { type MergeBody, mergeExample } from "./schema.ts";

/**
 * Starts the job that merges two contacts.
 * Throws 403 `FEATURE_NOT_ENABLED`, 404 `CONTACTS_CONTACT_NOT_FOUND`, 422 when both are one or together larger than a contact may be.
 */
export function startMerge(
  { sourceContact, destinationContact, options }: MergeBody,
  once: OnceCall,
  { postgres, queue, clock }: Pick<ServicePorts, "postgres" | "queue" | "clock">,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
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
      madeBy,
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
