export { createDestination, type DestinationPorts, type OutsidePorts, outsidePortsOf } from "./createDestination.ts";
export type { Destination, PlacedFile, Upload } from "./destination.ts";
export { createKeptDestination, type KeptDestinationOptions, keptFileId } from "./keptDestination.ts";
export { createStorageSandbox, type StorageSandbox } from "./sandbox/storageSandbox.ts";
export { type HostKeys, readHostKey } from "./sftp/hostKeys.ts";
export { isClosedPort, storageAway, storageRefused } from "./storageFailure.ts";
