import { createDependencyChecks, type HealthCheck } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { FrameProducer } from "@headwater/topics";

export interface HealthParts {
  readonly producer: Pick<FrameProducer, "state">;
  readonly postgres: Pick<Postgres, "ping">;
  /** The port is open, and no stop has begun. */
  readonly isServing: () => boolean;
}

/** Ready means: a click is redirected. Kafka and Postgres away are shown, but are no reason to take the process out. */
export function createHealth({
  producer,
  postgres,
  isServing,
}: HealthParts): () => Promise<Readonly<Record<string, HealthCheck>>> {
  const dependencies = createDependencyChecks({
    postgres: {
      ask: () => postgres.ping(),
      whenAway: "unavailable: redirects go on; incoming mail, provider events and views in a browser wait",
    },
  });
  return async () => {
    const { link } = producer.state();
    return {
      serving: isServing() ? { ok: true } : { ok: false, detail: "not listening yet, or stopping" },
      kafka:
        link === "ready" || link === "replacing"
          ? { ok: true }
          : {
              ok: true,
              isDegraded: true,
              detail: `${link}: redirects go on and events wait in memory; unsubscribes get 503`,
            },
      ...(await dependencies()),
    };
  };
}
