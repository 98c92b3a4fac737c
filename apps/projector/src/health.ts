import { createDependencyChecks, type HealthCheck } from "@headwater/kernel";
import type { Codec, StreamConsumer } from "@headwater/topics";

export interface HealthParts {
  readonly codec: Pick<Codec, "isReady">;
  readonly consumers: readonly {
    readonly group: string;
    readonly consumer: Pick<StreamConsumer, "state" | "held">;
  }[];
  readonly postgres: { ping(): Promise<void> };
  readonly clickhouse: { ping(): Promise<void> };
}

/**
 * Ready means: some of the log is applied. With ClickHouse away its groups wait and `state` goes on; a held partition waits for an operator
 * and the others go on.
 */
export function createHealth(parts: HealthParts): () => Promise<Readonly<Record<string, HealthCheck>>> {
  const dependencies = createDependencyChecks({
    postgres: { ask: () => parts.postgres.ping(), isRequired: true, whenAway: "unavailable: every group waits" },
    clickhouse: { ask: () => parts.clickhouse.ping(), whenAway: "unavailable: activities and history wait" },
  });
  return async () => ({
    registry: parts.codec.isReady() ? { ok: true } : { ok: false, detail: "no response yet" },
    consumers: consumersOf(parts),
    log: logOf(parts),
    ...(await dependencies()),
  });
}

/** A process that runs the relay alone has no consumer. */
function consumersOf({ consumers }: Pick<HealthParts, "consumers">): HealthCheck {
  const away = consumers.filter(({ consumer }) => consumer.state() !== "running");
  if (away.length === 0) return { ok: true };
  const detail = away.map(({ group, consumer }) => `${group}: ${consumer.state()}`).join(", ");
  return { ok: away.length < consumers.length, isDegraded: true, detail };
}

/** Names partitions that are held because their log is not the one that was read. */
function logOf({ consumers }: Pick<HealthParts, "consumers">): HealthCheck {
  const held = consumers.flatMap(({ group, consumer }) => consumer.held().map((at) => ({ group, ...at })));
  if (held.length === 0) return { ok: true };
  const detail = held.map(({ group, topic, partition, reason }) => `${group} ${topic}/${partition}: ${reason}`);
  return { ok: true, isDegraded: true, detail: `held: ${detail.join("; ")}` };
}
