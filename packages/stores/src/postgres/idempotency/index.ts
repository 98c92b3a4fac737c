export { createIdempotencyStore, createLeaseStore, deleteIdempotency } from "./idempotency.ts";
