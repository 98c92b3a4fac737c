import { storableText } from "@headwater/api/paging/query";
import { refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { type DataJobName, parseDataJobName, type Target } from "./dataJob.ts";
import { dataJobs, type StoredDataJob } from "./postgres.ts";

export const dataJobParams = z.strictObject({ key: storableText(256) });

export const UNKNOWN = { description: "RECORD_NOT_FOUND: no data job has this key or daId." };

/** Reads a data job that a path names by its key, its daId, or the id of a run. Throws 404 `RECORD_NOT_FOUND`. */
export async function readDataJob(session: Session, account: number, named: string): Promise<StoredDataJob> {
  const { key } = parseDataJobName(named);
  const found = await dataJobs.read(session, { account, key });
  if (found === undefined) throw unknownDataJob();
  return found;
}

/** Reads a data job with the marker of the run that a path names. Throws 404 `RECORD_NOT_FOUND`. */
export async function readNamedRun(
  session: Session,
  account: number,
  named: string,
): Promise<{ readonly job: StoredDataJob; readonly marker: DataJobName["marker"] }> {
  return { job: await readDataJob(session, account, named), marker: parseDataJobName(named).marker };
}

export function unknownDataJob() {
  return refusal("RECORD_NOT_FOUND", "No data job has this key or daId.");
}

export function disabled() {
  return refusal("DATA_JOB_API_TRIGGER_DISABLED", "The data job is disabled.");
}

export function targetOf({ targetType, targetKey }: Pick<StoredDataJob, "targetType" | "targetKey">): Target {
  return { type: targetType, ...(targetKey !== null && { key: targetKey }) };
}
