import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import type { ApiKey } from "../accounts/apiKeys.ts";

/** A key as it is shown: its first characters, never itself. What a key does not have is left out. */
export function apiKeyRecord({ id, name, prefix, scopes, createdAt, ...key }: ApiKey) {
  return {
    id,
    name,
    prefix,
    scopes,
    ...(key.allowIps !== null && { allowIPs: key.allowIps }),
    ...(key.rotates !== null && { rotates: key.rotates }),
    ...(key.expiresAt !== null && { expiresAt: toTimestamp(key.expiresAt.getTime()) }),
    ct: toTimestamp(createdAt.getTime()),
    ...(key.lastUsedAt !== null && { lastUsedAt: toTimestamp(key.lastUsedAt.getTime()) }),
  };
}

export const API_KEY_MEMBERS = [
  "id",
  "name",
  "prefix",
  "scopes",
  "allowIPs",
  "rotates",
  "expiresAt",
  "ct",
  "lastUsedAt",
] as const;

export const apiKeyShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  allowIPs: z.array(z.string()).optional(),
  rotates: z.string().optional(),
  expiresAt: z.string().optional(),
  ct: z.string(),
  lastUsedAt: z.string().optional(),
});

export const apiKeyExample = {
  id: "65f0c0ffee65f0c0ffee0001",
  name: "shop backend",
  prefix: "hw_Vb1pc",
  scopes: ["intake"],
  allowIPs: ["203.0.113.0/24"],
  ct: "2026-01-09T22:47:12.000Z",
  lastUsedAt: "2026-01-10T08:00:00.000Z",
};
