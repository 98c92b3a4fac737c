import {
  type AccountSettings,
  last4Of,
  type StoredSecret,
  secretMembers,
  secretView,
  storageSecretContext,
  webhookSecretContext,
} from "@headwater/contracts";
import { type Sealer, safeParse } from "@headwater/kernel";
import { z } from "zod";

const SECRET_CHARACTERS_MAX = 16_384;
const WEBHOOK_SECRET_CHARACTERS_MIN = 8;
const WEBHOOK_SECRET_CHARACTERS_MAX = 512;

export interface Sealing {
  readonly accountId: string;
  readonly settings: AccountSettings;
  /** Absent: the installation has no key. Secrets are refused then. */
  readonly sealer: Sealer | undefined;
}

/** Secrets of Standard Webhooks: a prefix and base64. */
const ENCODED = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const objects = z.record(z.string(), z.record(z.string(), z.unknown()).nullable());
const storageSecret = z.string().min(1).max(SECRET_CHARACTERS_MAX);
const webhookSecret = z
  .string()
  .min(WEBHOOK_SECRET_CHARACTERS_MIN)
  .max(WEBHOOK_SECRET_CHARACTERS_MAX)
  .refine((text) => !text.startsWith("whsec_") || ENCODED.test(text));

/**
 * Replaces every secret in changes by its sealed form. `{set, last4}`, as answers show it, stands for the stored one. Anything else
 * becomes what no shape takes: nobody writes a sealed text himself.
 */
export function withSealedSecrets(input: Readonly<Record<string, unknown>>, sealing: Sealing): Record<string, unknown> {
  const changes: Record<string, unknown> = { ...input };
  if (typeof input.webhookSecret !== "undefined" && input.webhookSecret !== null) {
    const context = webhookSecretContext(sealing.accountId);
    const stored = sealing.settings.webhookSecret;
    changes.webhookSecret = seal(input.webhookSecret, { sealing, context, stored, shape: webhookSecret });
  }
  const storages = safeParse(objects, input.storage);
  if (storages.success) changes.storage = sealStorages(storages.data, sealing);
  return changes;
}

/** Returns the settings without the saved storages that the changes give another type: theirs replace them whole. */
export function withoutRetyped(
  settings: AccountSettings,
  provided: Readonly<Record<string, unknown>>,
): AccountSettings {
  const storages = safeParse(objects, provided.storage);
  if (!storages.success) return settings;
  const { data } = storages;
  const existing = Object.entries(settings.storage).filter(([key, { type }]) => (data[key]?.type ?? type) === type);
  return { ...settings, storage: Object.fromEntries(existing) };
}

type Entry = Record<string, unknown> | null;

function sealStorages(entries: Record<string, Entry>, sealing: Sealing): Record<string, Entry> {
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, sealEntry(key, entry, sealing)]));
}

function sealEntry(key: string, entry: Entry, sealing: Sealing): Entry {
  if (entry === null) return null;
  const before = sealing.settings.storage[key];
  const members = Object.entries(entry).map(([member, value]): [string, unknown] => {
    if (!secretMembers.has(member) || value === null) return [member, value];
    const context = storageSecretContext(sealing.accountId, key, member);
    const stored = before === undefined ? undefined : Reflect.get(before, member);
    return [member, seal(value, { sealing, context, stored, shape: storageSecret })];
  });
  return Object.fromEntries(members);
}

interface Sealed {
  readonly sealing: Sealing;
  readonly context: string;
  readonly stored: StoredSecret | undefined;
  readonly shape: z.ZodType<string>;
}

function seal(value: unknown, { sealing, context, stored, shape }: Sealed): StoredSecret | typeof REFUSED {
  const view = safeParse(secretView, value);
  if (view.success) return stored?.last4 === view.data.last4 ? stored : REFUSED;
  const secret = safeParse(shape, value);
  if (!secret.success || sealing.sealer === undefined) return REFUSED;
  return { sealed: sealing.sealer.seal(secret.data, context), last4: last4Of(secret.data) };
}

/** No shape takes it. */
const REFUSED = false;
