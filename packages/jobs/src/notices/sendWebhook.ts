import { toTimestamp, webhookSecretContext } from "@headwater/contracts";
import { type Clock, type Outbound, requestOutside, type Sealer } from "@headwater/kernel";
import { Webhook } from "standardwebhooks";
import type { Job } from "../queue/jobs.ts";
import type { NoticeOutcome, OpenedNotice } from "./openedNotice.ts";

const BODY_CHARACTERS_MAX = 256 * 1024;

const types: Readonly<Record<string, string>> = { Done: "job.done", Failed: "job.failed", Canceled: "job.canceled" };

export interface WebhookPorts {
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

const TIMEOUT_MS = 15_000;
const ENCODED_PREFIX = "whsec_";
const GONE = 410;

/**
 * Posts the end of a job, signed as Standard Webhooks say (https://www.standardwebhooks.com). A redirect is a failure.
 * @throws what `requestOutside` throws when nobody answers.
 */
export async function sendWebhook({ job, account, target }: OpenedNotice, ports: WebhookPorts): Promise<NoticeOutcome> {
  const { outbound, sealer, clock } = ports;
  const stored = account.settings.webhookSecret;
  if (stored === undefined) return { kind: "refused" };
  const body = noticeBody(job);
  const id = `msg_${job.id}`;
  const at = new Date(clock.nowMs());
  const signature = signer(sealer.open(stored.sealed, webhookSecretContext(account.id))).sign(id, at, body);
  const answer = await requestOutside(target, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "headwater",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signature,
    },
    outbound: outbound.ofAccount(account.number),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // What they say is not read: the connection goes.
  answer.body.on("error", () => undefined).destroy();
  if (answer.status >= 200 && answer.status < 300) return { kind: "delivered" };
  if (answer.status === GONE) return { kind: "refused" };
  return { kind: "failed", retryAfterMs: 1_000 * (Number(answer.headers["retry-after"]) || 0) };
}

/** A secret `whsec_…` is base64, as the specification has it; any other text is taken as its bytes. */
function signer(secret: string): Webhook {
  return secret.startsWith(ENCODED_PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
}

/** Returns what is posted of a job that has ended: `{type, timestamp, data}`; of long metadata only the error. */
function noticeBody(job: Job): string {
  const whole = JSON.stringify(toBody(job, job.metadata));
  if (whole.length <= BODY_CHARACTERS_MAX) return whole;
  const error: unknown = Reflect.get(job.metadata, "error");
  return JSON.stringify(toBody(job, error === undefined ? {} : { error }));
}

function toBody({ id, name, status, totalItems, completedItems, result, startedAt, endedAt }: Job, metadata: object) {
  const times = { start: timeOf(startedAt), end: timeOf(endedAt) };
  const counts = { totalItems, completedItems, times, result, metadata };
  return { type: types[status], timestamp: timeOf(endedAt), data: { id, jobName: name, status, ...counts } };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
