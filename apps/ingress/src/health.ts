import { createDependencyChecks, type HealthCheck } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Codec, FrameProducer } from "@headwater/topics";

export interface HealthParts {
  readonly codec: Pick<Codec, "isReady">;
  readonly producer: Pick<FrameProducer, "state">;
  readonly postgres: Pick<Postgres, "ping">;
  /** The port is open, and no stop has begun. */
  readonly isServing: () => boolean;
}

/**
 * Ready means: a call with a known key gets its 202. Postgres away is reported, but is no reason to take the process out, for
 * known keys go on.
 */
export function createHealth(parts: HealthParts): () => Promise<Readonly<Record<string, HealthCheck>>> {
  const dependencies = createDependencyChecks({
    postgres: {
      ask: () => parts.postgres.ping(),
      whenAway: "unavailable: known keys keep working; new keys and Idempotency-Keys get 503",
    },
  });
  return async () => {
    const { link } = parts.producer.state();
    return {
      registry: parts.codec.isReady() ? { ok: true } : { ok: false, detail: "no response yet" },
      kafka: link === "ready" || link === "replacing" ? { ok: true } : { ok: false, detail: link },
      serving: parts.isServing() ? { ok: true } : { ok: false, detail: "not listening yet, or stopping" },
      ...(await dependencies()),
    };
  };
}
