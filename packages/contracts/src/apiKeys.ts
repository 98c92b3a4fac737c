import { hasForbiddenText, isNetwork } from "@headwater/kernel";
import { z } from "zod";
import { isScope } from "./scopes.ts";

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
      .refine(isScope, { message: "must be a scope: read, write, admin, intake, <resource>:read or <resource>:write" }),
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
