import { HeadwaterError, type HealthCheck } from "@headwater/kernel";
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
export function createHealth(parts: HealthParts): () => Promise<Record<string, HealthCheck>> {
  const ask = async (question: Promise<unknown>, whenAway: HealthCheck): Promise<HealthCheck> =>
    question.then(
      () => ({ ok: true }),
      (error: unknown) => (isWentBack(error) ? { ok: true, detail: error.publicMessage } : whenAway),
    );
  return async () => ({
    postgres: await ask(parts.postgres.ping(), { ok: false, detail: "unavailable" }),
    clickhouse: await ask(parts.clickHouse.ping(), { ok: true, detail: "unavailable: its routes answer 503" }),
    kafka: await ask(parts.highWatermarks("intake.records"), {
      ok: true,
      detail: "unavailable: asOf does not advance",
    }),
  });
}

function isWentBack(error: unknown): error is HeadwaterError {
  return error instanceof HeadwaterError && error.code === "STORE_WENT_BACK";
}
