export { Failure } from "../bootstrap/failure.mjs";
export { cacheFolder, rootFolder, testHomeFolder } from "../bootstrap/places.mjs";
export { findListeningPid } from "../bootstrap/ports.mjs";
export { BoundedLog } from "./boundedLog.ts";
export type { OnProgress, ServiceName } from "./definition.ts";
export { Guard } from "./guard.ts";
export { type MailServer, startMailServer } from "./mailServer.ts";
export { freePort, portOffsets } from "./ports.ts";
export { type Program, scriptOf } from "./programs.ts";
export { type AppName, nicenessOf, nodeOptionsOf } from "./start/stack.ts";
export {
  type RunningServices,
  type ServiceAddresses,
  type StartServicesOptions,
  startServices,
} from "./startServices.ts";
export {
  type AzureServer,
  type S3Server,
  type StorageServer,
  startAzureServer,
  startS3Server,
  startSftpServer,
} from "./storageServers.ts";
export {
  type ProcessPlan,
  type ProcessState,
  SupervisedProcess,
  type SupervisedProcessOptions,
} from "./supervisedProcess.ts";
export { addressEnvironment, startTestServices, type TestServicesOptions } from "./testServices.ts";
