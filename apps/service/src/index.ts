export { createServiceServer, type ServiceOptions } from "./serviceServer.ts";
