import { createStoredApiKeys } from "@headwater/accounts/apiKeys/apiKeyStore";
import type { DryRuns } from "@headwater/api/dryRun/dryRuns";
import { loadAttributeRules } from "@headwater/records/attributes/postgres";
import type { RoutePorts } from "./ports.ts";

const NO_POSITION = { firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 0 };

/**
 * Returns the ports that differ where routes run within a transaction of a dry run: what they write goes into it, what they would send to the log is
 * counted, and no cache learns what may be rolled back.
 */
export function dryRunPortsOf(ports: Pick<RoutePorts, "keys" | "producer" | "queue">, dryRuns: DryRuns) {
  const { postgres, clock } = dryRuns;
  return {
    postgres,
    clock,
    apiKeys: createStoredApiKeys(postgres),
    attributeRules: { of: (account) => loadAttributeRules(postgres, account), forget: () => undefined },
    keys: { ...ports.keys, changed: () => undefined },
    producer: {
      async append(append) {
        const { isLive, effects } = dryRuns.current();
        effects.records += append.entries.length;
        if (isLive) return ports.producer.append(append);
        const byPartition = Map.groupBy(append.entries, ({ partition }) => partition);
        return [...byPartition].map(([partition, { length: count }]) => {
          return { ...NO_POSITION, topic: append.topic, partition, count };
        });
      },
    },
    queue: {
      ...ports.queue,
      add(transaction, job) {
        dryRuns.current().effects.jobs += 1;
        return ports.queue.add(transaction, job);
      },
    },
  } satisfies Partial<RoutePorts>;
}
