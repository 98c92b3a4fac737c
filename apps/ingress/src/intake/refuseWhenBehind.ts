import { refusal } from "@headwater/http";
import type { FrameProducer } from "@headwater/topics";

const MIB = 1024 * 1024;
/**
 * Some tenths of a second of the log's work. What is queued beyond it makes every answer later and none of them sooner;
 * a producer that is refused here has cost no parsing.
 */
const QUEUED_BYTES_MAX = 8 * MIB;

/** Spares the work of judging what could not be written soon: a log that is away or behind is a 503 before anything else. */
export function refuseWhenBehind(producer: Pick<FrameProducer, "state">): void {
  const { link, isDraining, queuedBytes } = producer.state();
  if (link === "away") throw unavailable("The record log cannot be reached.");
  if (isDraining) throw unavailable("The service is shutting down.");
  if (queuedBytes > QUEUED_BYTES_MAX) throw unavailable("The record log cannot take more just now.");
}

function unavailable(message: string) {
  return refusal("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 1 });
}
