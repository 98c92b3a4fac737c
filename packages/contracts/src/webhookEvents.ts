/** Types of events that webhooks may listen to, as their bodies name them. */
export const webhookEventTypes = [
  "activity.created",
  "alert.cleared",
  "alert.raised",
  "contact.subscribed",
  "contact.unsubscribed",
  "intake.rejected",
  "job.done",
  "job.failed",
  "message.event",
  "message.status",
  "orchestration.exited",
  "orchestration.problem",
  "webhook.disabled",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Types of events about activities: a webhook may choose among them by the names of the activities. */
export const activityEventTypes: ReadonlySet<string> = new Set<WebhookEventType>(["activity.created", "message.event"]);

/** Bytes of a body that is posted to a webhook. Longer ones are cut to the ids in them. */
export const WEBHOOK_BODY_BYTES_MAX = 256 * 1024;

/** Context under which a secret of a webhook is sealed. */
export function webhookContext(accountId: string, id: string): string {
  return `${accountId}/webhook/${id}`;
}
