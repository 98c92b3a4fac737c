import { hasForbiddenText, isNetwork } from "@headwater/kernel";
import { z } from "zod";

/** Resources of an account's routes; the first part of a narrow scope. */
export const scopeResources = [
  "account",
  "accountcontactattributes",
  "accounting",
  "accountlists",
  "accountmonitorexport",
  "activityimports",
  "alerts",
  "apikeys",
  "audiencecount",
  "audiences",
  "audiencetrendsexport",
  "automationtemplates",
  "batchmessages",
  "contactactivities",
  "contactactivityexport",
  "contactexports",
  "contactimports",
  "contacts",
  "datajobs",
  "deadletters",
  "exports",
  "files",
  "freshness",
  "imports",
  "includes",
  "jobs",
  "messageanalyticsexport",
  "orchestrations",
  "orders",
  "ordersexport",
  "ordersimport",
  "productimports",
  "products",
  "programs",
  "receipts",
  "supplements",
  "suppressions",
  "transports",
  "uploads",
  "webhooks",
] as const;

/** `read` and `write` hold for every resource; `message-events` lets a sending system report opens and clicks through intake. */
const broadScopes = ["read", "write", "intake", "message-events"] as const;

const knownScopes: ReadonlySet<string> = new Set([
  ...broadScopes,
  ...scopeResources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
]);

export function isScope(text: string): boolean {
  return knownScopes.has(text);
}

/** The resource whose scopes open the routes of another as well: keys made for audiences may count them. */
const openedBy: ReadonlyMap<string, string> = new Map([["audiencecount", "audiences"]]);

/**
 * Returns whether a key with these scopes may do what `wanted` names: `read` holds for every `<resource>:read`, `write` likewise,
 * and `audiences:read` for `audiencecount:read`.
 */
export function coversScope(scopes: readonly string[], wanted: string): boolean {
  if (scopes.includes(wanted)) return true;
  const [resource = "", action] = wanted.split(":");
  if (action === undefined) return false;
  const opener = openedBy.get(resource);
  return scopes.includes(action) || (opener !== undefined && scopes.includes(`${opener}:${action}`));
}

export const apiKeyLimits = {
  nameCharacters: 128,
  scopes: 100,
  allowIPs: 100,
  graceHours: 720,
  graceHoursUsual: 24,
  /** Keys of an account that are not revoked. */
  keysOfAccount: 1_000,
} as const;

const name = z
  .string()
  .trim()
  .min(1)
  .max(apiKeyLimits.nameCharacters)
  .refine((text) => !hasForbiddenText(text), { message: "contains NUL or an unpaired surrogate" });

const scopes = z
  .array(
    z
      .string()
      .refine(isScope, { message: "must be a scope: read, write, intake, <resource>:read or <resource>:write" }),
  )
  .min(1)
  .max(apiKeyLimits.scopes);

/** IP or CIDR. An empty list would let nobody in, and mean "any" to who reads it: it is refused. */
const allowIPs = z
  .array(z.string().refine(isNetwork, { message: "must be an IP address or a CIDR range" }))
  .min(1)
  .max(apiKeyLimits.allowIPs);

/** The body of `POST /v2/apikeys`. Of a key that replaces another what is not given is taken over, but the expiry. */
export const newApiKeyBody = z
  .object({
    /** Needed without `rotates`. */
    name: name.optional(),
    /** Needed without `rotates`. */
    scopes: scopes.optional(),
    /** ISO 8601; absent = no expiry. */
    expiresAt: z.string().max(64).optional(),
    allowIPs: allowIPs.optional(),
    /** Id of the key that this one replaces. */
    rotates: z.string().min(1).max(64).optional(),
    /** Hours that the replaced key stays valid; default 24. */
    graceHours: z.number().int().min(0).max(apiKeyLimits.graceHours).optional(),
  })
  .superRefine((body, context) => {
    if (body.rotates !== undefined) return;
    const issue = (member: keyof typeof body, code: string, message: string) =>
      context.addIssue({ code: "custom", path: [member], message, params: { code } });
    if (body.name === undefined) issue("name", "required", "`name` is required.");
    if (body.scopes === undefined) issue("scopes", "required", "`scopes` is required.");
    if (body.graceHours !== undefined) issue("graceHours", "not_allowed", "`graceHours` requires `rotates`.");
  });
export type NewApiKeyBody = z.infer<typeof newApiKeyBody>;
