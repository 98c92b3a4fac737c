import { type Account, noticeContext } from "@headwater/contracts";
import { createWorkLoop, HeadwaterError, type WorkLoop } from "@headwater/kernel";
import { type DueNotice, delayNotice, deleteNotice, readStoredJob, takeDueNotices } from "@headwater/stores/jobs";
import type { JobPorts } from "../runner/jobKind.ts";
import type { SendMail } from "./mailer.ts";
import { sendMailOf } from "./noticeMail.ts";
import type { NoticeOutcome } from "./openedNotice.ts";
import { sendWebhook } from "./sendWebhook.ts";

export interface NoticePorts extends Pick<JobPorts, "postgres" | "outbound" | "sealer" | "clock" | "logger"> {
  readonly account: (number: number) => Promise<Account | undefined>;
  /** Undefined: the installation sends no mail. */
  readonly sendMail: SendMail | undefined;
}

const AT_ONCE_MAX = 8;
/** Longer than any attempt takes: then the notice is free again, should its sender have been killed. */
const LEASE_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000] as const;
/** Pauses after the first attempt, the second, and so on; after the last one it is given up. */
const PAUSES_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** Notifies those who asked for it that their jobs have ended: each at least once, with the same id every time. */
export function createNotices(ports: NoticePorts): WorkLoop {
  return createWorkLoop({
    work: () => deliverNotices(ports),
    idleMs: LOOK_EVERY_MS,
    minMs: 100,
    maxMs: 5_000,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "taking job notices failed, retrying"),
  });
}

/** Sends what is due. @returns whether there may be more. */
export async function deliverNotices(ports: NoticePorts): Promise<boolean> {
  const now = ports.clock.nowMs();
  const due = await takeDueNotices(ports.postgres, { now, leaseUntil: now + LEASE_MS, rowsMax: AT_ONCE_MAX });
  await Promise.all(due.map((notice) => deliver(notice, ports)));
  return due.length === AT_ONCE_MAX;
}

async function deliver(notice: DueNotice, ports: NoticePorts): Promise<void> {
  const { postgres, clock, logger } = ports;
  const outcome = await attempt(notice, ports);
  const pauseMs = PAUSES_MS[notice.attempts];
  if (outcome.kind === "failed" && pauseMs !== undefined) {
    const retryAfterMs = Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
    return delayNotice(postgres, notice, clock.nowMs() + Math.max(pauseMs, retryAfterMs));
  }
  const { job, kind } = notice;
  if (outcome.kind !== "delivered") logger.warn({ jobId: job, kind }, "delivering a job notice failed, giving up");
  await deleteNotice(postgres, notice);
}

async function attempt(notice: DueNotice, ports: NoticePorts): Promise<NoticeOutcome> {
  const { postgres, sealer, sendMail, logger } = ports;
  const [job, account] = await Promise.all([
    readStoredJob(postgres, notice.account, notice.job),
    ports.account(notice.account),
  ]);
  if (job === undefined || account === undefined || sealer === undefined) return { kind: "refused" };
  try {
    const opened = { job, account, target: sealer.open(notice.target, noticeContext(account.id)) };
    if (notice.kind === "webhook") return await sendWebhook(opened, { ...ports, sealer });
    return sendMail === undefined ? { kind: "refused" } : await sendMailOf(opened, sendMail);
  } catch (error) {
    if (error instanceof HeadwaterError) throw error;
    // Texts of drivers may hold the address.
    const code = error instanceof Error ? (Reflect.get(error, "code") ?? error.name) : undefined;
    logger.info({ jobId: job.id, kind: notice.kind, code }, "job notice failed, retrying later");
    return { kind: "failed" };
  }
}
