export {
  claimIdempotency,
  deleteIdempotency,
  finishIdempotency,
  forgetIdempotency,
  type IdempotencyClaim,
  releaseIdempotency,
  type StoredAnswer,
} from "./idempotency.ts";
export { createKeyedCalls } from "./keyedCalls.ts";
