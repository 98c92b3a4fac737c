export { consistencyOf } from "./consistency/consistencyOf.ts";
export { createStreamLooks } from "./consistency/streamLooks.ts";
export { createCursors } from "./paging/cursors.ts";
export { createServiceServer, type ServiceOptions } from "./serviceServer.ts";
