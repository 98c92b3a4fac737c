import {
  type Accepted,
  type Client,
  ClientError,
  type ClientOptions,
  createClient,
  type RetryEvent,
} from "@headwater/client";
import { createTcpProxy } from "@headwater/testing";
import { expect } from "vitest";
import { addAccount, startIngress } from "../intake/ingress/ingressFixture.ts";

/** An ingress, and clients whose way to it leads over a proxy that can fail. */
export async function startWay() {
  const clients: Client[] = [];
  const ingress = await startIngress();
  const caller = await addAccount(ingress.database);
  const way = await createTcpProxy({ host: "127.0.0.1", port: ingress.port });
  const recordsWith = (text: string) => ingress.records.filter((record) => JSON.stringify(record).includes(text));
  return {
    ingress,
    way,
    client(options: Partial<ClientOptions> = {}) {
      const retries: RetryEvent[] = [];
      const client = createClient({
        url: `http://127.0.0.1:${way.port}`,
        apiKey: caller.key,
        onRetry: (event) => retries.push(event),
        ...options,
      });
      clients.push(client);
      return { client, retries };
    },
    /** Records of the log that hold a text. */
    recordsWith,
    idsWith: (text: string) => new Set(recordsWith(text).map(({ id }) => id)),
    /** Closes the clients, and lets everything through again. */
    async mend() {
      for (const proxy of [way, ingress.kafkaProxy, ingress.postgresProxy]) {
        proxy.setMode("forward");
        proxy.setDelay(0);
      }
      await Promise.all(clients.splice(0).map((client) => client.close({ deadlineMs: 0 })));
    },
    async stop() {
      await way.close();
      await ingress.stop();
    },
  };
}

export type Way = Awaited<ReturnType<typeof startWay>>;

export const person = (email: string, attributes: object = { n: 1 }) => ({
  identifiers: { email },
  attributes: { ...attributes },
  canBeCreated: true,
});

/** Returns the id of the first record that an accepted item became. */
export const idOf = ({ requestId, index }: Accepted) => `${requestId}:${index}:0`;

export function errorOf(resolved: PromiseSettledResult<unknown> | undefined): unknown {
  if (resolved?.status !== "rejected") return resolved;
  expect(resolved.reason).toBeInstanceOf(ClientError);
  return resolved.reason;
}
