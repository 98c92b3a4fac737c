import { type Answer, refusal } from "@headwater/http";
import { startJob } from "@headwater/stores/jobs";
import { addOutsideProblems } from "../../exports/addOutsideProblems.ts";
import { createConfigurationProblems, expectKnown } from "../../exports/configurationProblems.ts";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { startedJob } from "../../jobs/startedJob.ts";
import type { ServicePorts } from "../../ports.ts";
import { chooseDestination } from "../../storage/chooseDestination.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import { PROFILE_FORMATS, type ProfileBody } from "./schema.ts";

export type ProfilePorts = Pick<
  ServicePorts,
  "canMail" | "clock" | "postgres" | "queue" | "sealer" | "outbound" | "storages"
>;

/**
 * Starts the job that writes everything the account knows of the contact.
 * Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 422 `EXPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`.
 */
export async function startProfile(
  primaryKey: string,
  { request, once }: { readonly request: ProfileBody; readonly once: OnceCall },
  ports: ProfilePorts,
): Promise<Answer> {
  const { postgres, queue, clock } = ports;
  const { account, id: madeBy } = once.caller;
  const format = await readProfileFormat(request, once, ports);
  const chosen = await chooseDestination(request.destination, account, ports);
  return runOnce(postgres, once, async (transaction) => {
    const contact = await findContact(transaction, account, readPrimaryKey(primaryKey, account));
    if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName: "ExportContactProfile",
      input: { contact: contact.cid, format, destination: chosen?.destination },
      secrets: chosen?.secrets,
      metadata: { cID: contact.cid },
      madeBy,
      nowMs: clock.nowMs(),
    });
    const answer = startedJob(jobId);
    return { answer, kept: answer.body };
  });
}

/** Reads the form of the file of a closed body. @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR` with all that is wrong with the body. */
async function readProfileFormat(
  request: ProfileBody,
  once: OnceCall,
  ports: ProfilePorts,
): Promise<(typeof PROFILE_FORMATS)[number]> {
  const problems = createConfigurationProblems();
  expectKnown(request, ["destination", "exportType"], problems);
  const given = request.exportType ?? "jsonl";
  const format = PROFILE_FORMATS.find((known) => typeof given === "string" && known === given.toLowerCase());
  if (format === undefined) problems.add("/exportType", "bad_value", "The format is unknown.", PROFILE_FORMATS);
  await addOutsideProblems({ body: { destination: request.destination }, problems }, once, ports);
  problems.refuse();
  return format ?? "jsonl";
}
