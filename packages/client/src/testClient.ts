import { accepted, startStubApi } from "@headwater/testing";
import { ClientError } from "./clientError.ts";
import { type Client, createClient } from "./createClient.ts";
import type { ClientOptions } from "./options.ts";

export const apiKey = "hw_a_secret_of_the_tests";
const quick = { minMs: 1, maxMs: 5, giveUpAfterMs: 5_000 };

/** Clients of a test, each before an API of its own that answers as the test says. */
export function createTestClients() {
  const running: { readonly client: Client; readonly stop: () => Promise<void> }[] = [];
  return {
    async start(reply: Parameters<typeof startStubApi>[0], options: Partial<ClientOptions> = {}) {
      const api = await startStubApi(reply);
      const client = createClient({ url: api.url, apiKey, retry: quick, ...options });
      running.push({ client, stop: () => api.stop() });
      return { api, client };
    },
    async stop() {
      for (const { client, stop } of running.splice(0)) {
        await client.close({ deadlineMs: 0 });
        await stop();
      }
    },
  };
}

export const person = (id: number | string) => ({ identifiers: { customer_id: id } });
export const idsOf = (items: readonly unknown[]) => items.map((item) => Object(item).identifiers.customer_id);

/** Returns the error a promise rejects with, which has to be the client's. */
export async function errorOf(promise: Promise<unknown> | undefined): Promise<ClientError> {
  const error = await promise?.then(() => undefined).catch((reason: unknown) => reason);
  if (error instanceof ClientError) return error;
  throw new Error(`no error of the client but ${String(error)}`);
}

/** A reply that waits until the test says so. */
export function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: async () => promise.then(() => accepted()), go: resolve };
}
