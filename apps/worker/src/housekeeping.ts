import { deleteLogEntries } from "@headwater/api/accountLog/accountLog";
import { deleteOldLags } from "@headwater/automation/alerts/postgres";
import { deleteOldRuns } from "@headwater/automation/dataJobs/postgres";
import { RETENTION_MS } from "@headwater/automation/webhooks/delivery";
import { deleteOldEvents } from "@headwater/automation/webhooks/deliveryRows";
import { LOG_RETENTION_DAYS } from "@headwater/contracts";
import { deleteImportCounts } from "@headwater/intake/state/importCounts";
import { deleteFileRow, oldFiles } from "@headwater/jobs/files/fileRows";
import type { FileStore } from "@headwater/jobs/files/fileStore";
import { deleteJobRejections } from "@headwater/jobs/queue/jobRejections";
import { deleteJobs } from "@headwater/jobs/queue/jobs";
import { deleteUpload, staleUploads } from "@headwater/jobs/uploads/uploads";
import type { Postgres } from "@headwater/postgres/connection/postgres";

const DAY_MS = 86_400_000;
const JOBS_RETENTION_MS = 60 * DAY_MS;
const REJECTIONS_RETENTION_MS = 7 * DAY_MS;
const FILES_RETENTION_MS = 30 * DAY_MS;
const FILES_AT_A_TIME = 100;
const UPLOADS_UNUSED_MS = 7 * DAY_MS;
const UPLOADS_AFTER_JOB_MS = DAY_MS;

interface OldJobs {
  readonly postgres: Postgres;
  readonly files: FileStore;
}

/** Deletes jobs with their files and rejections, entries of account logs, and events of webhooks. Jobs that are not over are kept, however old. */
export async function deleteOldJobs(options: OldJobs, nowMs: number): Promise<void> {
  const { postgres } = options;
  await deleteOldFiles(options, nowMs - FILES_RETENTION_MS);
  await deleteStaleUploads(options, nowMs);
  await deleteJobRejections(postgres, nowMs - REJECTIONS_RETENTION_MS);
  await deleteJobs(postgres, nowMs - JOBS_RETENTION_MS);
  await deleteLogEntries(postgres, nowMs - LOG_RETENTION_DAYS * DAY_MS);
  await deleteImportCounts(postgres);
  await deleteOldEvents(postgres, nowMs - RETENTION_MS);
  await deleteOldRuns(postgres);
  await deleteOldLags(postgres, nowMs);
}

/** Uploads that nobody used, that were imported, and the copies of imports that are over. */
async function deleteStaleUploads({ postgres, files }: OldJobs, nowMs: number) {
  const bounds = { unusedBefore: nowMs - UPLOADS_UNUSED_MS, endedBefore: nowMs - UPLOADS_AFTER_JOB_MS };
  for (;;) {
    const stale = await staleUploads(postgres, { ...bounds, rowsMax: FILES_AT_A_TIME });
    for (const upload of stale) {
      await files.remove(upload);
      await deleteUpload(postgres, upload);
    }
    if (stale.length < FILES_AT_A_TIME) return;
  }
}

/** First the bytes: a row without them is deleted the next time, bytes without a row never. */
async function deleteOldFiles({ postgres, files }: OldJobs, before: number) {
  for (;;) {
    const old = await oldFiles(postgres, before, FILES_AT_A_TIME);
    for (const file of old) {
      await files.remove(file);
      await deleteFileRow(postgres, file.id);
    }
    if (old.length < FILES_AT_A_TIME) return;
  }
}
