import { keptFileId } from "@headwater/stores/destinations";
import type { Erasure } from "@headwater/stores/erasures";
import { deleteFileRow } from "@headwater/stores/files";
import { lockJob, setJobMetadata } from "@headwater/stores/jobs";
import { filesWithContacts } from "../../exports/exportedContacts.ts";
import type { JobPorts } from "../../runner/jobKind.ts";

/**
 * Deletes the kept files of exports that hold the contact, and marks them in their jobs. A job that is under way finds the erasure itself
 * and writes its files anew.
 */
export async function removeExportedFiles(
  { clickhouse, files, postgres }: JobPorts,
  accountId: string,
  { account, numbers }: Erasure,
): Promise<void> {
  const found = await filesWithContacts(clickhouse, account, numbers);
  for (const [jobId, own] of Map.groupBy(found, ({ job }) => job)) {
    const names = new Set(own.map(({ file }) => file));
    for (const name of names) {
      const id = keptFileId(jobId, name);
      await files.remove({ accountId, id });
      await deleteFileRow(postgres, id);
    }
    await postgres.transaction(async (transaction) => {
      const job = await lockJob(transaction, jobId);
      if (job === undefined) return;
      await setJobMetadata(transaction, { id: jobId, metadata: markErased(job.metadata, names) });
    });
  }
}

/** Marks files by their names; what a job says besides stays. */
export function markErased(metadata: object, names: ReadonlySet<string>): object {
  if (!("files" in metadata) || !Array.isArray(metadata.files)) return metadata;
  const files = metadata.files.map((file: unknown) => (isNamed(file, names) ? { ...file, erased: true } : file));
  return { ...metadata, files };
}

function isNamed(file: unknown, names: ReadonlySet<string>): file is object {
  return (
    typeof file === "object" && file !== null && "name" in file && typeof file.name === "string" && names.has(file.name)
  );
}
