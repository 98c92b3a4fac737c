export { createDestination, type DestinationPorts } from "./createDestination.ts";
export type { Destination, PlacedFile, Upload } from "./destination.ts";
export { createKeptDestination, type KeptDestinationOptions, keptFileId } from "./keptDestination.ts";
export { createSftpChecks, type SftpChecks } from "./sftp/createSftpChecks.ts";
export { createHostKeys, type HostKeys, readHostKey } from "./sftp/hostKeys.ts";
export { isClosedPort, storageAway, storageRefused } from "./storageFailure.ts";
