import { storableText } from "@headwater/api/paging/query";
import { shapes, webhookEventTypes } from "@headwater/contracts";
import type { ErrorDetail, Outbound } from "@headwater/kernel";
import { z } from "zod";

const URL_CHARACTERS_MAX = 2_048;
const DESCRIPTION_CHARACTERS_MAX = 1_024;
const ACTIONS_MAX = 100;
const ACTION_CHARACTERS_MAX = 64;
/** Webhooks of an account. */
export const WEBHOOKS_MAX = 200;
/** Time that a former secret signs along after a rotation. */
export const FORMER_SECRET_MS = 24 * 3_600_000;

const filter = z.object({
  actions: z.array(storableText(ACTION_CHARACTERS_MAX).min(1)).min(1).max(ACTIONS_MAX),
});

/** Members of a webhook as bodies give them: `null` removes one that may be absent. */
export const webhookMembers = {
  url: storableText(URL_CHARACTERS_MAX).describe(
    "An https address. The operator may allow private addresses, those by http, too.",
  ),
  events: z.array(z.enum(webhookEventTypes)).min(1).max(webhookEventTypes.length),
  filter: filter
    .describe("Names of activities. `activity.created` requires them; `message.event` is posted for all without them.")
    .nullish(),
  description: storableText(DESCRIPTION_CHARACTERS_MAX).nullish(),
  enabled: z.boolean().nullish(),
};

/** Members that rules hold over. */
export interface WebhookRules {
  readonly url: string;
  readonly events: readonly string[];
  readonly actions: readonly string[] | null;
}

/** Returns what is wrong with a webhook, besides the shapes of its members. */
export function webhookProblems(
  { url, events, actions }: WebhookRules,
  outbound: Pick<Outbound, "permits" | "allows">,
): ErrorDetail[] {
  const problems = addressProblems("/url", url, outbound);
  if (!events.includes("activity.created") || actions !== null) return problems;
  const message = "`activity.created` requires the names of activities in `filter.actions`.";
  return [...problems, { path: "/filter/actions", code: "required", message }];
}

/** Names of activities about a message that was sent. */
export const messageActions: readonly string[] = [...shapes.reservedActions].filter((action) => action !== "pageview");

/** Returns the names of the activities that a webhook listens to. */
export function activitiesOf({ events, actions }: Omit<WebhookRules, "url">): string[] {
  const own = events.includes("activity.created") ? (actions ?? []) : [];
  const ofMessages = messageActions.filter((action) => actions?.includes(action) ?? true);
  return [...new Set([...own, ...(events.includes("message.event") ? ofMessages : [])])];
}

/** Returns why a URL may not be called. What its name resolves to is checked when it is connected. */
export function addressProblems(
  path: string,
  text: string,
  outbound: Pick<Outbound, "permits" | "allows">,
): ErrorDetail[] {
  const problem = (code: string, message: string) => [{ path, code, message }];
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return problem("bad_value", "The URL must begin with https://.");
  if (url.username !== "" || url.password !== "") return problem("not_allowed", "The URL must not hold credentials.");
  if (!outbound.permits(url.hostname)) return problem("not_allowed", PRIVATE);
  if (url.protocol === "http:" && !outbound.allows(url.hostname)) return problem("not_allowed", PLAIN);
  return [];
}

const PRIVATE =
  "The host has a private address, which webhooks may not reach. The operator can allow it in HEADWATER_OUTBOUND_ALLOW.";
const PLAIN =
  "The URL must begin with https://. By http webhooks reach only addresses that the operator allows in HEADWATER_OUTBOUND_ALLOW.";
