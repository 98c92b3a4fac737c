import { createDependencyChecks, type HealthCheck } from "@headwater/kernel";
import type { ServicePorts } from "./ports.ts";

interface HealthParts {
  readonly postgres: Pick<ServicePorts["postgres"], "ping">;
  readonly clickHouse: Pick<ServicePorts["clickHouse"], "ping">;
  readonly highWatermarks: ServicePorts["highWatermarks"];
}

/**
 * Ready means: what Postgres serves is answered, which is most of it. With ClickHouse away its routes answer 503 and all others go on;
 * so they do while it lacks what it has confirmed. With Kafka away `asOf` stands still. Each is reported, and none of them takes the
 * process out.
 */
export function createHealth(parts: HealthParts): () => Promise<Readonly<Record<string, HealthCheck>>> {
  return createDependencyChecks({
    postgres: { ask: () => parts.postgres.ping(), isRequired: true, whenAway: "unavailable: every route answers 503" },
    clickhouse: { ask: () => parts.clickHouse.ping(), whenAway: "unavailable: its routes answer 503" },
    kafka: { ask: () => parts.highWatermarks("intake.records"), whenAway: "unavailable: asOf does not advance" },
  });
}
