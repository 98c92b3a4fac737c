import { type Account, noticeContext, toTimestamp } from "@headwater/contracts";
import { createSlotShares, createWorkLoop, HeadwaterError, type WorkLoop } from "@headwater/kernel";
import { type DueNotice, delayNotice, deleteNotice, takeDueNotices } from "../queue/jobNotices.ts";
import { type Job, readStoredJob } from "../queue/jobs.ts";
import type { JobPorts } from "../runner/jobKind.ts";
import type { SendMail } from "./mailer.ts";
import type { NoticeOutcome, OpenedNotice } from "./openedNotice.ts";
import { sendWebhook } from "./sendWebhook.ts";

const endings: Readonly<Record<string, string>> = { Done: "is done", Failed: "has failed", Canceled: "was canceled" };

/** An answer of SMTP from this on is final (RFC 5321, 4.2.1). */
const PERMANENT = 500;

export interface NoticePorts extends Pick<JobPorts, "postgres" | "outbound" | "sealer" | "clock" | "logger"> {
  readonly account: (number: number) => Promise<Account | undefined>;
  /** Undefined: the installation sends no mail. */
  readonly sendMail: SendMail | undefined;
}

/** Notices that a worker delivers at a time; an account has at most as many as it leaves free. */
const AT_ONCE_MAX = 32;
/** Longer than any attempt takes: then the notice is free again, should its sender have been killed. */
const LEASE_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000] as const;
/** Pauses after the first attempt, the second, and so on; after the last one it is given up. */
const PAUSES_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** Notifies those who asked for it that their jobs have ended: each at least once, with the same id every time. */
export function createNotices(ports: NoticePorts): WorkLoop {
  const deliveries = new Deliveries(ports);
  const loop = createWorkLoop({
    work: () => deliveries.startDue(),
    idleMs: CHECK_EVERY_MS,
    minMs: 100,
    maxMs: 5_000,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "delivering job notices failed, retrying"),
  });
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await deliveries.empty();
    },
  };
}

/** Delivers what is due now, but for accounts that have too much of it. */
export async function deliverNotices(ports: NoticePorts): Promise<void> {
  const deliveries = new Deliveries(ports);
  while (await deliveries.startDue());
  await deliveries.empty();
  deliveries.rethrow();
}

/** Deliveries of a worker. A receiver that hangs holds a slot of its account until it is given up, and nothing of the others. */
class Deliveries {
  readonly #ports: NoticePorts;
  readonly #slots = createSlotShares<number>(AT_ONCE_MAX);
  readonly #running = new Set<Promise<void>>();
  #failures: unknown[] = [];

  constructor(ports: NoticePorts) {
    this.#ports = ports;
  }

  /** Starts what is due and has a slot. @returns whether there may be more. @throws the failure of an earlier one, once. */
  async startDue(): Promise<boolean> {
    this.rethrow();
    const { postgres, clock } = this.#ports;
    const now = clock.nowMs();
    // All of them may be of one account.
    const rowsMax = Math.floor(this.#slots.free / 2);
    if (rowsMax === 0) return false;
    const butAccounts = this.#slots.full();
    const due = await takeDueNotices(postgres, { now, leaseUntil: now + LEASE_MS, rowsMax, butAccounts });
    for (const notice of due) this.#start(notice);
    return due.length === rowsMax;
  }

  async empty(): Promise<void> {
    await Promise.all(this.#running);
  }

  rethrow(): void {
    const [failure, ...others] = this.#failures;
    this.#failures = others;
    if (failure !== undefined) throw failure;
  }

  #start(notice: DueNotice): void {
    this.#slots.take(notice.account);
    const running = deliver(notice, this.#ports)
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => {
        this.#slots.give(notice.account);
        this.#running.delete(running);
      });
    this.#running.add(running);
  }
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

/** Mails the end of a job. A mail that the server refuses for good is given up. */
async function sendMailOf({ job, target }: OpenedNotice, sendMail: SendMail): Promise<NoticeOutcome> {
  const subject = `Headwater: ${job.name} ${endings[job.status] ?? job.status}`;
  try {
    await sendMail({ to: target, subject, text: textOf(job), messageId: `<${job.id}@headwater.invalid>` });
    return { kind: "delivered" };
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : undefined;
    if (typeof code === "number" && code >= PERMANENT) return { kind: "refused" };
    throw error;
  }
}

function textOf({ id, name, status, result, metadata, endedAt }: Job): string {
  const error: unknown = Reflect.get(metadata, "error");
  const message: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : undefined;
  const lines = [
    `Job: ${name}`,
    `Id: ${id}`,
    `Status: ${status}`,
    `Ended: ${endedAt === null ? "" : toTimestamp(endedAt)}`,
    ...Object.entries(result).map(([count, value]) => `${count}: ${String(value)}`),
    ...(typeof message === "string" ? [`Error: ${message}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
