export { createServiceServer, type ServiceOptions } from "./serviceServer.ts";
export { settledOf } from "./settled/settledOf.ts";
export { createStreamLooks } from "./settled/streamLooks.ts";
