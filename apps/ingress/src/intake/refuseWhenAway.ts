import { refusal } from "@headwater/http";
import type { FrameProducer } from "@headwater/topics";

/** Spares the work of judging what could not be written anyhow: with the log away, 503 comes before anything else. */
export function refuseWhenAway(producer: Pick<FrameProducer, "state">): void {
  const { link, isDraining } = producer.state();
  if (link === "away")
    throw refusal("SERVICE_UNAVAILABLE", "The record log cannot be reached.", { retryAfterSeconds: 1 });
  if (isDraining) throw refusal("SERVICE_UNAVAILABLE", "The service is shutting down.", { retryAfterSeconds: 1 });
}
