import type { HealthCheck } from "@headwater/kernel";
import type { ServicePorts } from "./ports.ts";

/** Ready means: reads of both stores are answered. Kafka away is told, but only makes `asOf` stand still. */
export function createHealth(
  parts: Pick<ServicePorts, "postgres" | "clickHouse" | "highWatermarks">,
): () => Promise<Record<string, HealthCheck>> {
  const ask = async (question: Promise<unknown>, whenAway: HealthCheck): Promise<HealthCheck> =>
    question.then(
      () => ({ ok: true }),
      () => whenAway,
    );
  return async () => ({
    postgres: await ask(parts.postgres.ping(), { ok: false, detail: "does not answer" }),
    clickhouse: await ask(parts.clickHouse.ping(), { ok: false, detail: "does not answer" }),
    kafka: await ask(parts.highWatermarks("intake.records"), { ok: true, detail: "away: asOf stands still" }),
  });
}
