import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import { createSourceReader } from "@headwater/jobs/sources/createSourceReader";

/** Processes that read what jobs of a test file are given. They start with the first file, and end with the test. */
export const sources = createSourceReader();
const STORAGE_PROCESSES = 5;
/** Processes that call storages, as many as a worker of two jobs has; they start with the first call. */
export const storages = createStorageSandbox({ processes: STORAGE_PROCESSES });
