import { type Answer, refusal } from "@headwater/http";
import { startJob } from "@headwater/stores/jobs";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { startedJob } from "../../jobs/startedJob.ts";
import type { ServicePorts } from "../../ports.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import type { ProfileBody } from "./schema.ts";

/**
 * Starts the job that writes everything the account knows of the contact.
 * Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 422 `EXPORT_CONFIGURATION_ERROR`.
 */
export function startProfile(
  primaryKey: string,
  { request, once }: { readonly request: ProfileBody; readonly once: OnceCall },
  { postgres, queue, clock }: Pick<ServicePorts, "postgres" | "queue" | "clock">,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
  refuseOutside(request);
  return runOnce(postgres, once, async (transaction) => {
    const contact = await findContact(transaction, account, readPrimaryKey(primaryKey, account));
    if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName: "ExportContactProfile",
      input: { contact: contact.cid, format: request.exportType },
      metadata: { cID: contact.cid },
      madeBy,
      nowMs: clock.nowMs(),
    });
    const answer = startedJob(jobId);
    return { answer, kept: answer.body };
  });
}

function refuseOutside({ destination }: ProfileBody): void {
  if (destination === undefined || destination.type === "aws") return;
  const message = "This installation only writes files for download. Omit `destination` or set its type to `aws`.";
  const details = [{ path: "/destination/type", code: "bad_value", message, allowed: ["aws"] }];
  throw refusal("EXPORT_CONFIGURATION_ERROR", message, { details });
}
