import { type OnceCall, orFirstAnswer, runOnce } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import { contactParams } from "@headwater/records/contacts/contactShape";
import { findContact, readPrimaryKey } from "@headwater/records/contacts/findContact";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../closedBody.ts";
import { addOutsideProblems } from "../exports/addOutsideProblems.ts";
import { addBodyProblems, createConfigurationProblems } from "../exports/configurationProblems.ts";
import { jobStarted, jobStartedExample } from "../jobs/jobSchema.ts";
import type { RoutePorts } from "../ports.ts";
import { chooseDestination } from "../storage/chooseDestination.ts";
import { destinationMember } from "../storage/destinationMember.ts";

const PROFILE_FORMATS = ["json", "jsonl"] as const;

const body = readClosedBody(
  z.strictObject({
    /** Absent: a file to download. */
    destination: destinationMember.nullish(),
    exportType: z.enum(PROFILE_FORMATS).nullable().default("jsonl"),
  }),
);
type ProfileBody = ReturnType<typeof body.parse>;

const requestExample = { destination: { type: "aws" }, exportType: "jsonl" };

type ProfilePorts = Pick<RoutePorts, "canMail" | "clock" | "postgres" | "queue" | "sealer" | "outbound" | "storages">;

/**
 * Starts the job that writes everything the account knows of the contact.
 * Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 422 `EXPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`.
 */
async function startProfile(
  primaryKey: string,
  { request, once }: { readonly request: ProfileBody; readonly once: OnceCall },
  ports: ProfilePorts,
): Promise<Answer> {
  const { postgres, queue, clock } = ports;
  const { account, id: createdBy } = once.caller;
  const format = await readProfileFormat(request, once, ports);
  const chosen = await chooseDestination(request.given.destination, account, ports);
  return runOnce(postgres, once, async (transaction) => {
    const contact = await findContact(transaction, account, readPrimaryKey(primaryKey, account));
    if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName: "ExportContactProfile",
      input: { contact: contact.cid, format, destination: chosen?.destination },
      secrets: chosen?.secrets,
      metadata: { cID: contact.cid },
      madeBy: createdBy,
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
  addBodyProblems(request, problems);
  await addOutsideProblems({ given: { destination: request.given.destination }, problems }, once, ports);
  problems.refuse();
  return request.members.exportType ?? "jsonl";
}

export function downloadContactprofile(ports: ProfilePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/{primary_key}/downloadprofile",
    operationId: "downloadContactprofile",
    summary: "Starts a job that exports all data of a contact to a file.",
    description:
      "The file contains the contact's members and identifiers, lists, orders, cart, supplement records, merges, activities and change history; `exportType` is `jsonl` (one entry per line) or `json`. The job waits until ClickHouse has caught up with the state at its start. Its `metadata.files` holds the size, checksum, counts, completeness, and a link that is valid for 24 hours. With a `destination` outside (`s3`, `sftp`, `azureblob`) the file is written there instead.",
    tags: ["contacts"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
      422: {
        description:
          "EXPORT_CONFIGURATION_ERROR: the destination or another member is invalid. STORAGE_CONNECTION_ERROR: it refused the connection.",
      },
    },
    requestExample,
    scope: "contacts:read",
    dryRun: "checked",
    rateClass: "jobStart",
    params: contactParams,
    body,
    isBodyOptional: true,
    alsoKnown: () => PASSED_OVER,
    handler: ({ params, body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startProfile(params.primary_key, { request, once }, ports)),
  });
}
