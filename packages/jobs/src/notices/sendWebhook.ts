import { webhookSecretContext } from "@headwater/contracts";
import type { Clock, Outbound, Sealer } from "@headwater/kernel";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import { noticeBody } from "./noticeBody.ts";
import type { NoticeOutcome, OpenedNotice } from "./openedNotice.ts";

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
 * @throws what `undici` throws when nobody answers.
 */
export async function sendWebhook({ job, account, target }: OpenedNotice, ports: WebhookPorts): Promise<NoticeOutcome> {
  const { outbound, sealer, clock } = ports;
  const stored = account.settings.webhookSecret;
  if (stored === undefined) return { kind: "refused" };
  const body = noticeBody(job);
  const id = `msg_${job.id}`;
  const at = new Date(clock.nowMs());
  const signature = signer(sealer.open(stored.sealed, webhookSecretContext(account.id))).sign(id, at, body);
  const answer = await request(target, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "headwater",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signature,
    },
    dispatcher: outbound.ofAccount(account.number).dispatcher,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headersTimeout: TIMEOUT_MS,
  });
  // What they say is not read: the connection goes.
  answer.body.on("error", () => undefined).destroy();
  if (answer.statusCode >= 200 && answer.statusCode < 300) return { kind: "delivered" };
  if (answer.statusCode === GONE) return { kind: "refused" };
  return { kind: "failed", retryAfterMs: 1_000 * (Number(answer.headers["retry-after"]) || 0) };
}

/** A secret `whsec_…` is base64, as the specification has it; any other text is taken as its bytes. */
function signer(secret: string): Webhook {
  return secret.startsWith(ENCODED_PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
}
