import type { ContainerClient } from "@azure/storage-blob";
import type { Destination } from "../destination.ts";
import { s3Key } from "../s3/s3Destination.ts";
import { isLackOfRight, onAzure } from "./azureClient.ts";
import { createAzureUpload, deleteBlocks } from "./azureUpload.ts";

/**
 * Creates a destination in a container of Azure Blob Storage.
 * @param folder the path without placeholders.
 */
export function createAzureDestination(container: ContainerClient, folder: string): Destination {
  return {
    async check(signal) {
      await onAzure(async () => {
        try {
          await container.getProperties({ abortSignal: signal });
        } catch (error) {
          if (!isLackOfRight(error)) throw error;
        }
      });
    },
    open: async (name, signal) => createAzureUpload(container.getBlockBlobClient(s3Key(folder, name)), signal),
    async discard(name, abortSignal) {
      const blob = container.getBlockBlobClient(s3Key(folder, name));
      if (await onAzure(() => blob.exists({ abortSignal }))) return;
      await onAzure(() => deleteBlocks(blob, abortSignal));
    },
  };
}
