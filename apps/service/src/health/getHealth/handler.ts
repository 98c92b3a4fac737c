import { type Answer, keepFor, refusal } from "@headwater/http";
import { type Clock, HeadwaterError } from "@headwater/kernel";

/** Anybody may ask, and the stores are asked for all of them once in so long. */
const KEPT_MS = 1_000;
const TIMEOUT_MS = 3_000;

interface Stores {
  readonly postgres: { ping(): Promise<void> };
  readonly clickHouse: { ping(): Promise<void> };
}

/** The service lives and reaches its stores, as they were found within the last second. Throws 503 when a store is away or went back. */
export function createHealth({ clock, ...stores }: Stores & { readonly clock: Clock }): () => Promise<Answer> {
  return keepFor({ read: () => health(stores), keptMs: KEPT_MS, timeoutMs: TIMEOUT_MS, clock });
}

async function health({ postgres, clickHouse }: Stores): Promise<Answer> {
  await Promise.all([reach("The state store", postgres), reach("The analytical store", clickHouse)]);
  return { status: 200, body: { status: "ok" } };
}

async function reach(name: string, store: { ping(): Promise<void> }): Promise<void> {
  try {
    await store.ping();
  } catch (cause) {
    if (cause instanceof HeadwaterError && cause.code === "STORE_WENT_BACK") throw cause;
    throw refusal("SERVICE_UNAVAILABLE", `${name} is unavailable.`, { cause });
  }
}
