import { type Answer, refusal } from "@headwater/http";
import { startJob } from "@headwater/stores/jobs";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { startedJob } from "../../jobs/startedJob.ts";
import type { ServicePorts } from "../../ports.ts";
import { chooseDestination } from "../../storage/chooseDestination.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import type { ProfileBody } from "./schema.ts";

export type ProfilePorts = Pick<ServicePorts, "clock" | "postgres" | "queue" | "sealer" | "outbound">;

/**
 * Starts the job that writes everything the account knows of the contact.
 * Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 422 `EXPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`.
 */
export async function startProfile(
  primaryKey: string,
  { request, once }: { readonly request: ProfileBody; readonly once: OnceCall },
  { postgres, queue, clock, sealer, outbound }: ProfilePorts,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
  const chosen = await chooseDestination(request.destination, account, { postgres, sealer, outbound });
  return runOnce(postgres, once, async (transaction) => {
    const contact = await findContact(transaction, account, readPrimaryKey(primaryKey, account));
    if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName: "ExportContactProfile",
      input: { contact: contact.cid, format: request.exportType, destination: chosen?.destination },
      secrets: chosen?.secrets,
      metadata: { cID: contact.cid },
      madeBy,
      nowMs: clock.nowMs(),
    });
    const answer = startedJob(jobId);
    return { answer, kept: answer.body };
  });
}
