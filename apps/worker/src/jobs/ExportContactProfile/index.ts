import { hash } from "node:crypto";
import { type Account, toTimestamp } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { FileTooLarge, insertFile, personOf, readContactByCid, type WrittenFile } from "@headwater/stores";
import { z } from "zod";
import { defineJobWithOutside, type JobPorts } from "../../runner/jobKind.ts";
import { type Entry, entriesOfState } from "./entries.ts";
import { activitiesOf, fieldChangesOf, listChangesOf } from "./fromClickHouse.ts";
import { noEntries, type ProfileFormat, profileText } from "./profileText.ts";

const contentTypes = { json: "application/json", jsonl: "application/x-ndjson" } as const;

/**
 * Writes the file, then its row: after a kill in between the same file is written again under the same name. Everything the
 * account knows of one contact stands in it.
 */
export const exportContactProfileJob = defineJobWithOutside({
  jobName: "ExportContactProfile",
  progress: z.never(),
  outside: async ({ jobId, account, input }, ports) => {
    const counts = noEntries();
    const text = profileText(profileOf(input.contact, account, ports), input.format, counts);
    const id = fileIdOf(jobId);
    return { id, counts, written: await write(ports, { accountId: account.id, id }, text) };
  },
  async step({ jobId, account, input, nowMs }, transaction, { id, counts, written }) {
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const name = nameOf(input.contact, input.format);
    const manifest = { rows, entries: counts, writtenAt: toTimestamp(nowMs) };
    await insertFile(transaction, {
      id,
      account: account.number,
      job: jobId,
      name,
      contentType: contentTypes[input.format],
      ...written,
      manifest,
      createdAt: nowMs,
    });
    const files = [{ id, name, ...written, ...manifest }];
    const counted = { totalItems: rows, completedItems: rows, result: { totalRecords: rows } };
    return { kind: "done", ...counted, metadata: { files } };
  },
});

async function* profileOf(cid: string, account: Account, { postgres, clickhouse }: JobPorts): AsyncGenerator<Entry> {
  const contact = await readContactByCid(postgres, account.number, cid);
  if (contact === undefined) throw gone();
  const person = await personOf(postgres, contact);
  yield* entriesOfState(postgres, { person, contact, account });
  yield* activitiesOf(clickhouse, person);
  yield* fieldChangesOf(clickhouse, person);
  yield* listChangesOf(clickhouse, person);
}

async function write(
  { files }: JobPorts,
  key: { readonly accountId: string; readonly id: string },
  text: AsyncIterable<string>,
): Promise<WrittenFile> {
  try {
    return await files.write(key, text);
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error;
    const publicMessage = `The profile is too large: ${error.message}.`;
    throw new HeadwaterError({ code: "PAYLOAD_TOO_LARGE", status: 413, publicMessage, cause: error });
  }
}

/** One file of a job, whoever writes it and however often. */
function fileIdOf(jobId: string): string {
  return hash("sha256", `${jobId}\nprofile`, "hex").slice(0, 24);
}

function nameOf(cid: string, format: ProfileFormat): string {
  return `contact-${cid}.${format}`;
}

function gone(): HeadwaterError {
  const publicMessage = "The contact is not there any more.";
  return new HeadwaterError({ code: "CONTACTS_CONTACT_NOT_FOUND", status: 404, publicMessage });
}
