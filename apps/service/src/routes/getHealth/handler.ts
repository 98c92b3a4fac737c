import { type Answer, refusal } from "@headwater/http";

interface Stores {
  readonly postgres: { ping(): Promise<void> };
  readonly clickHouse: { ping(): Promise<void> };
}

/** The service lives and reaches its stores. Throws 503 when a store is away. */
export async function health({ postgres, clickHouse }: Stores): Promise<Answer> {
  await Promise.all([reach("The state store", postgres), reach("The analytical store", clickHouse)]);
  return { status: 200, body: { status: "ok" } };
}

async function reach(name: string, store: { ping(): Promise<void> }): Promise<void> {
  try {
    await store.ping();
  } catch (cause) {
    throw refusal("SERVICE_UNAVAILABLE", `${name} does not answer.`, { cause });
  }
}
