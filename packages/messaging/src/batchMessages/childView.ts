import { type Account, toTimestamp } from "@headwater/contracts";
import { noAlerts } from "../messages/alerts.ts";
import type { SendCount } from "../sends/sendReads.ts";
import type { TemplateChild } from "../templates/templateChildren.ts";
import { readTemplateSettings } from "../templates/templateView.ts";
import { deliveryOf } from "./delivery.ts";

interface ChildView {
  readonly account: Account;
  readonly nowMs: number;
}

/** Returns a day or an hour of a template as answers show it. It is `processing` until the day or hour ends. */
export function childRecord(child: TemplateChild, { account, nowMs }: ChildView): Record<string, unknown> {
  const { id, mdtId, key, channel, tags, transportId, createdAt } = child;
  const { name, classification, trackLinks, trackOpens, priority, bccEnabled, strict } = readTemplateSettings(child);
  return {
    ...{ accountID: account.id, id, bmID: id, mdtID: mdtId, key, channel, status: statusOfChild(child, nowMs) },
    ...{ name, classification, trackLinks, trackOpens, priority, bccEnabled, strict },
    ...(tags !== null && { tags }),
    ...(transportId !== null && { transportID: transportId }),
    sendTimeType: "immediate",
    alerts: noAlerts,
    ...{ sendTime: toTimestamp(createdAt), ct: toTimestamp(createdAt), lm: toTimestamp(createdAt) },
  };
}

export function statusOfChild({ endsAt }: TemplateChild, nowMs: number): "processing" | "sent" {
  return endsAt > nowMs ? "processing" : "sent";
}

/** Returns the outcomes of the sends that there are; nothing once they are no longer kept. */
export function childDelivery(counts: readonly SendCount[]): object {
  const audienceTotal = counts.reduce((sum, { count }) => sum + count, 0);
  const delivery = audienceTotal === 0 ? undefined : deliveryOf({ status: "processing", audienceTotal }, counts);
  return delivery === undefined ? {} : { audienceTotal, delivery };
}
