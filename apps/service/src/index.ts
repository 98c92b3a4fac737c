export { consistencyOf } from "./consistency/settledOf.ts";
export { createStreamLooks } from "./consistency/streamLooks.ts";
export { createServiceServer, type ServiceOptions } from "./serviceServer.ts";
