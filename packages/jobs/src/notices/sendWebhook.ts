import { toTimestamp, webhookSecretContext } from "@headwater/contracts";
import type { Sealer } from "@headwater/kernel";
import { endedJob, type Job } from "../queue/jobs.ts";
import type { NoticeOutcome, OpenedNotice } from "./openedNotice.ts";
import { isGone, isSuccess, type PostPorts, postSigned } from "./postSigned.ts";

const BODY_CHARACTERS_MAX = 256 * 1024;

const types: Readonly<Record<string, string>> = { Done: "job.done", Failed: "job.failed", Canceled: "job.canceled" };

export interface WebhookPorts extends PostPorts {
  readonly sealer: Sealer;
}

/** Posts the end of a job, signed by the account's `webhookSecret`. */
export async function sendWebhook({ job, account, target }: OpenedNotice, ports: WebhookPorts): Promise<NoticeOutcome> {
  const stored = account.settings.webhookSecret;
  if (stored === undefined) return { kind: "refused" };
  const secrets = [ports.sealer.open(stored.sealed, webhookSecretContext(account.id))];
  const post = { url: target, id: `msg_${job.id}`, body: noticeBody(job), secrets, account: account.number };
  const { status, retryAfterMs = 0 } = await postSigned(post, ports);
  if (isSuccess(status)) return { kind: "delivered" };
  return isGone(status) ? { kind: "refused" } : { kind: "failed", retryAfterMs };
}

/** Returns what is posted of a job that has ended: `{type, timestamp, data}`; of long metadata only the error. */
function noticeBody(job: Job): string {
  const head = { type: types[job.status], timestamp: job.endedAt === null ? null : toTimestamp(job.endedAt) };
  const whole = JSON.stringify({ ...head, data: endedJob(job, job.metadata) });
  if (whole.length <= BODY_CHARACTERS_MAX) return whole;
  const error: unknown = Reflect.get(job.metadata, "error");
  return JSON.stringify({ ...head, data: endedJob(job, error === undefined ? {} : { error }) });
}
