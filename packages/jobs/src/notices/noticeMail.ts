import { toTimestamp } from "@headwater/contracts";
import type { Job } from "../queue/jobs.ts";
import type { SendMail } from "./mailer.ts";
import type { NoticeOutcome, OpenedNotice } from "./openedNotice.ts";

const endings: Readonly<Record<string, string>> = { Done: "is done", Failed: "has failed", Canceled: "was canceled" };
/** An answer of SMTP from this on is final (RFC 5321, 4.2.1). */
const PERMANENT = 500;

/** Mails the end of a job. A mail that the server refuses for good is given up. */
export async function sendMailOf({ job, target }: OpenedNotice, sendMail: SendMail): Promise<NoticeOutcome> {
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
