import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/stores/postgres";
import type { StoredTemplate } from "@headwater/stores/templates";
import { dropEventTrigger, setEventTrigger } from "@headwater/stores/triggers";
import { invalidContent } from "../messages/prepareParts.ts";
import { sendableOf } from "./sendTemplate/wantedTemplate.ts";
import { readTemplateSettings } from "./templateView.ts";

/** Event triggers that listen for one account: each of its activities is compared with those of its name. */
export const EVENT_TRIGGERS_MAX = 100;

/**
 * Stores what a template listens to, in the transaction that writes it. A template that was never published listens to nothing.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` when the account has as many triggers as it may have, or requires an unsubscribe link.
 */
export async function settleTriggers(
  transaction: Transaction,
  of: Account,
  template: Omit<StoredTemplate, "createdAt" | "updatedAt">,
): Promise<void> {
  const { account, mdtId, published } = template;
  const { event } = readTemplateSettings(template).triggers;
  const { enabled, action, where = [] } = event;
  if (!enabled || action === undefined || published === null) {
    return dropEventTrigger(transaction, { account, mdtId });
  }
  await sendableOf(transaction, of, { template, content: published });
  const trigger = { account, mdtId, action, conditions: JSON.stringify(where) };
  if (await setEventTrigger(transaction, trigger, EVENT_TRIGGERS_MAX)) return;
  const message = `An account can have at most ${EVENT_TRIGGERS_MAX} enabled event triggers.`;
  throw invalidContent([{ path: "/triggers/event/enabled", code: "too_many", message }]);
}
