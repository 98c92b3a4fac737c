import { type Answer, refusal } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";

/**
 * The service lives and reaches its stores. No key is needed, but one that is sent is checked: connectors try a key here.
 * Throws 401 for a bad key, 503 when a store is away.
 */
export async function health(
  authorization: string | undefined,
  { keys, postgres, clickHouse }: Pick<ServicePorts, "keys" | "postgres" | "clickHouse">,
): Promise<Answer> {
  if (authorization !== undefined) await checkKey(authorization, keys);
  await Promise.all([reach("The state store", postgres), reach("The analytical store", clickHouse)]);
  return { status: 200, body: { status: "ok" } };
}

async function checkKey(authorization: string, keys: ServicePorts["keys"]): Promise<void> {
  const key = readBasicKey(authorization);
  const known = key === undefined ? undefined : await keys.find(key);
  if (known !== undefined) return;
  const message = "Send a valid API key as the user name of HTTP Basic, with a blank password.";
  throw refusal("AUTHENTICATION_FAILED", message, {
    extra: { headers: { "WWW-Authenticate": 'Basic realm="headwater"' } },
  });
}

/** The user name of HTTP Basic with a blank password; undefined for anything else. */
export function readBasicKey(authorization: string): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]{1,1024})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return text.length > 1 && text.indexOf(":") === text.length - 1 ? text.slice(0, -1) : undefined;
}

async function reach(name: string, store: { ping(): Promise<void> }): Promise<void> {
  try {
    await store.ping();
  } catch (cause) {
    throw refusal("SERVICE_UNAVAILABLE", `${name} does not answer.`, { cause });
  }
}
