export type { Destination, PlacedFile, Upload } from "./destination.ts";
export { createKeptDestination, type KeptDestinationOptions, keptFileId } from "./keptDestination.ts";
