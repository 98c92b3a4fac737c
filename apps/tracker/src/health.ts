import type { HealthCheck } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";

export interface HealthParts {
  readonly producer: Pick<FrameProducer, "state">;
  /** The port is open, and no stop has begun. */
  readonly isServing: () => boolean;
}

/** Ready means: a click is redirected. Kafka away is shown, but is no reason to take the process out. */
export function createHealth({ producer, isServing }: HealthParts): () => Record<string, HealthCheck> {
  return () => {
    const { link } = producer.state();
    return {
      serving: isServing() ? { ok: true } : { ok: false, detail: "not listening yet, or stopping" },
      kafka:
        link === "ready" || link === "replacing"
          ? { ok: true }
          : { ok: true, detail: `${link}: redirects go on and events wait in memory; unsubscribes get 503` },
    };
  };
}
