import { holdAudiences, setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import { readAudiences } from "@headwater/audiences/criteria/knownAudiences";
import type { Account } from "@headwater/contracts";
import { criteriaReferences } from "@headwater/criteria";
import { deleteEventTrigger, setEventTrigger } from "@headwater/intake/triggers/eventTriggers";
import type { Transaction } from "@headwater/postgres/connection/session";
import { resolveAudiences } from "../batchMessages/checkAudience.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import { nextTick } from "../schedule/cron.ts";
import { deleteRecurringTrigger, setRecurringTrigger } from "../triggers/recurringTriggers.ts";
import { type CheckedRecurring, RECURRING } from "./checkRecurring.ts";
import { scheduleOf } from "./recurringSchedule.ts";
import type { StoredTemplate } from "./templates.ts";
import { readTemplateSettings } from "./templateView.ts";
import { sendableOf } from "./wantedTemplate.ts";

/** Event triggers that listen for one account: each of its activities is compared with those of its name. */
export const EVENT_TRIGGERS_MAX = 100;
/** Characters of one trigger's conditions, as JSON: a batch with an activity of the account reads those of all its triggers. */
export const CONDITIONS_CHARACTERS_MAX = 16 * 1024;
/** Recurring triggers that listen for one account. */
const RECURRING_TRIGGERS_MAX = 100;

type TriggeredTemplate = Omit<StoredTemplate, "createdAt" | "updatedAt">;

interface TriggersOf {
  readonly account: Account;
  readonly template: TriggeredTemplate;
  /** Recurring trigger that the body gives; undefined where it stays as it is. */
  readonly checked: CheckedRecurring | undefined;
  readonly nowMs: number;
}

/**
 * Stores what a template listens to, in the transaction that writes it. A template that was never published listens to nothing.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` when the account has as many triggers as it may have, the conditions are too long, or
 * the account requires an unsubscribe link.
 */
export async function resolveTriggers(transaction: Transaction, triggers: TriggersOf): Promise<void> {
  await resolveEvent(transaction, triggers.account, triggers.template);
  await resolveRecurring(transaction, triggers);
  await resolveAudiencesUsed(transaction, triggers.template);
}

/** Stores which audiences a template names: its recurring trigger, and its entry. */
async function resolveAudiencesUsed(
  transaction: Transaction,
  { account, key, ...template }: TriggeredTemplate,
): Promise<void> {
  const { entry, triggers } = readTemplateSettings(template);
  const { audience, "audience-key": named } = triggers.recurring;
  const ofTrigger = [...(named ? [named] : []), ...(audience ? criteriaReferences(audience).audiences : [])];
  const used = await resolveAudiences(transaction, account, { named: ofTrigger }, RECURRING);
  const ofEntry = entry.audience === undefined ? [] : [entry.audience];
  const known = await readAudiences(transaction, account, ofEntry);
  const entered = await holdAudiences(
    transaction,
    account,
    ofEntry.flatMap((one) => known.get(one)?.id ?? []),
  );
  if (entered.length < ofEntry.length) {
    const message = "No saved audience has this key.";
    throw invalidContent([{ path: "/entry/audience", code: "unknown_reference", message }]);
  }
  const user = { account, kind: "automationtemplate", userId: key } as const;
  await setAudiencesUsedBy(transaction, user, [...new Set([...used, ...entered])]);
}

async function resolveEvent(transaction: Transaction, of: Account, template: TriggeredTemplate): Promise<void> {
  const { account, mdtId, published } = template;
  const { event } = readTemplateSettings(template).triggers;
  const { enabled, action, where = [] } = event;
  if (!enabled || action === undefined || published === null) {
    return deleteEventTrigger(transaction, { account, mdtId });
  }
  await sendableOf(transaction, of, { template, content: published });
  const conditions = JSON.stringify(where);
  if (conditions.length > CONDITIONS_CHARACTERS_MAX) {
    const message = `The conditions of a trigger can have at most ${CONDITIONS_CHARACTERS_MAX} characters of JSON.`;
    throw invalidContent([{ path: "/triggers/event/where", code: "too_long", message }]);
  }
  const trigger = { account, mdtId, action, conditions };
  if (await setEventTrigger(transaction, trigger, EVENT_TRIGGERS_MAX)) return;
  const message = `An account can have at most ${EVENT_TRIGGERS_MAX} enabled event triggers.`;
  throw invalidContent([{ path: "/triggers/event/enabled", code: "too_many", message }]);
}

/** A trigger without a schedule is off, and names nobody. */
async function resolveRecurring(
  transaction: Transaction,
  { account: of, template, checked, nowMs }: TriggersOf,
): Promise<void> {
  const { account, mdtId, published } = template;
  const { recurring } = readTemplateSettings(template).triggers;
  const schedule = scheduleOf(recurring, of);
  if (schedule === undefined) return deleteRecurringTrigger(transaction, { account, mdtId });
  const content = recurring.enabled ? published : null;
  if (content !== null) await sendableOf(transaction, of, { template, content });
  const nextAt = content === null ? null : (nextTick(schedule, nowMs) ?? null);
  const trigger = { account, mdtId, ...schedule, nextAt };
  const rest = { audience: checked?.audience, triggersMax: RECURRING_TRIGGERS_MAX };
  if (await setRecurringTrigger(transaction, trigger, rest)) return;
  const message = `An account can have at most ${RECURRING_TRIGGERS_MAX} enabled recurring triggers.`;
  throw invalidContent([{ path: `${RECURRING}/enabled`, code: "too_many", message }]);
}
