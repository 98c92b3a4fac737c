export { createPostgresIdempotency } from "./idempotency/postgresIdempotency.ts";
export { createIngressServer, type IngressOptions } from "./ingressServer.ts";
export { frameSchemas } from "./schemas.ts";
