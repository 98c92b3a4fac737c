import { hash } from "node:crypto";
import { timeOfVersion } from "@headwater/contracts";
import { lockJob, setJobMetadata } from "@headwater/jobs/queue/jobs";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { ForeignFile } from "@headwater/jobs/sources/createSourceReader";
import type { SourceForm } from "@headwater/jobs/sources/sourceForm";
import type { SearchedText } from "@headwater/jobs/sources/textSearch";
import { deleteUpload, insertUpload, nextIdleUpload, type UploadOfAccount } from "@headwater/jobs/uploads/uploads";
import { HeadwaterError } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import type { Erasing } from "./progress.ts";
import { CLOCKS_APART_MS, SPEAKING } from "./traces.ts";

type Work = Pick<Erasing, "jobId" | "account" | "input" | "nowMs" | "signal">;
type Ports = Pick<JobPorts, "files" | "postgres" | "sources">;

/**
 * Deletes the uploads of before the erasure that name the person and that no import is reading; those that one reads go a day after it. They
 * are read in a process of their own. An upload that cannot be read may name anybody: it is deleted as well, and listed in the erasure's job.
 */
export async function deleteUploadsAbout(work: Work, ports: Ports): Promise<void> {
  const { account, input } = work;
  const until = timeOfVersion(input.version) + CLOCKS_APART_MS;
  for (let after = ""; ; ) {
    const upload = await nextIdleUpload(ports.postgres, { account: account.number, until, after });
    if (upload === undefined) return;
    after = upload.id;
    const found = await searchFile(upload, { work, ports });
    if (found === "unreadable") await noteUnreadable(ports.postgres, work.jobId, upload.id);
    if (found === "nothing") continue;
    await ports.files.remove(upload);
    await deleteUpload(ports.postgres, upload);
  }
}

interface Searching {
  readonly work: Work;
  readonly ports: Ports;
}

/** Searches a stored file for the person whom an erasure is about, in a process of its own. */
export async function searchFile(
  upload: Pick<UploadOfAccount, "account" | "accountId" | "id" | "bytes">,
  { work, ports }: Searching,
): Promise<"nothing" | "person" | "unreadable"> {
  const { files, sources } = ports;
  const searched = work.input.identifiers.map(
    ({ name, value }): SearchedText => ({ value, isAnywhere: SPEAKING.has(name) }),
  );
  const access = { files, signal: work.signal };
  const file = { account: upload.account, key: { accountId: upload.accountId, id: upload.id }, bytes: upload.bytes };
  try {
    const form = await sources.findForm(file, undefined, access);
    const isFound =
      form.kind === "parquet" && form.compression !== "none"
        ? await searchPacked(file, { form, searched }, { work, ports })
        : await sources.search(file, { form, searched }, access);
    return isFound ? "person" : "nothing";
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === "IMPORT_CONFIGURATION_ERROR") return "unreadable";
    throw error;
  }
}

/** Searches a packed Parquet file, whose index stands at its end: it is unpacked for as long as it is read. */
async function searchPacked(
  file: ForeignFile,
  { form, searched }: { readonly form: SourceForm; readonly searched: readonly SearchedText[] },
  { work, ports }: Searching,
): Promise<boolean> {
  const { files, postgres, sources } = ports;
  const access = { files, signal: work.signal };
  const { account, key } = file;
  const copy = {
    account,
    accountId: key.accountId,
    id: hash("sha256", `${work.jobId}\n${key.id}`, "hex").slice(0, 24),
  };
  // The row comes before the bytes, so that housekeeping finds what a killed worker leaves.
  const row = { id: copy.id, account, name: null, job: work.jobId, isCopy: true, createdAt: work.nowMs };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  try {
    const { bytes } = await sources.unpack(file, { compression: form.compression, to: copy }, access);
    const plain: SourceForm = { kind: "parquet", compression: "none" };
    return await sources.search({ account, key: copy, bytes }, { form: plain, searched }, access);
  } finally {
    await files.remove(copy);
    await deleteUpload(postgres, copy);
  }
}

const UNREADABLE_LISTED_MAX = 1_000;
const listed = z.object({ unreadableUploads: z.array(z.string()) });

/** Lists the upload in the erasure's job, once. Its name may be personal, and is left out. */
async function noteUnreadable(postgres: Postgres, jobId: string, upload: string): Promise<void> {
  await postgres.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === undefined) return;
    const before = listed.safeParse(job.metadata).data?.unreadableUploads ?? [];
    const unreadableUploads = [...new Set([...before, upload])].slice(0, UNREADABLE_LISTED_MAX);
    await setJobMetadata(transaction, { id: jobId, metadata: { ...job.metadata, unreadableUploads } });
  });
}
