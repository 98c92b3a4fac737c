import {
  type StoredSecret,
  type StoredTransportSettings,
  storedSecret,
  storedTransports,
  type TransportType,
} from "@headwater/contracts";
import { safeParse } from "@headwater/kernel";

/** Reads stored settings. @param text JSON. */
export function readSettings(type: TransportType, text: string): StoredTransportSettings {
  const settings: unknown = JSON.parse(text);
  return storedTransports[type].parse(settings);
}

/** Returns stored settings as people may see them: each secret is `{set, last4}`. */
export function showSettings(type: TransportType, text: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(readSettings(type, text)).map(([name, value]) => [name, view(value)]));
}

function view(value: unknown): unknown {
  const secret = safeParse(storedSecret, value);
  if (secret.success) return { set: true, last4: secret.data.last4 };
  if (Array.isArray(value)) return value.map(view);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, view(one)]));
}

/** Returns the sealed secrets of stored settings by the position that they are sealed for. */
export function secretsOf(settings: StoredTransportSettings): ReadonlyMap<string, StoredSecret> {
  const secrets = new Map<string, StoredSecret>();
  if ("password" in settings && settings.password !== undefined) secrets.set("password", settings.password);
  if ("dkim" in settings) {
    for (const { domain, selector, privateKey } of settings.dkim ?? [])
      secrets.set(`dkim/${domain}/${selector}`, privateKey);
  }
  if ("headers" in settings) {
    for (const [name, value] of Object.entries(settings.headers ?? {}))
      if (typeof value !== "string") secrets.set(`headers/${name.toLowerCase()}`, value);
  }
  return secrets;
}
