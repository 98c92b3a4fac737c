import { hash } from "node:crypto";
import type { FileStore } from "../files/fileStore.ts";
import type { Destination } from "./destination.ts";

export interface StoredDestinationOptions {
  readonly files: FileStore;
  /** The account's id, which names its folder. */
  readonly accountId: string;
  readonly jobId: string;
}

/** The store of files of this installation. A job's file of one name is one file, whoever writes it and however often. */
export function createStoredDestination({ files, accountId, jobId }: StoredDestinationOptions): Destination {
  return {
    check: async () => undefined,
    open: async (name, signal) => {
      const id = storedFileId(jobId, name);
      const upload = await files.open({ accountId, id }, signal);
      return {
        ...upload,
        finish: async () => {
          await upload.finish();
          return { keptId: id };
        },
      };
    },
    discard: (name) => files.discard({ accountId, id: storedFileId(jobId, name) }),
  };
}

/** The id of the file that a job keeps under a name. */
export function storedFileId(jobId: string, name: string): string {
  return hash("sha256", `${jobId}\n${name}`, "hex").slice(0, 24);
}
