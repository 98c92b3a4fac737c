import type { AzureStorage } from "@headwater/contracts";
import type { Outbound } from "@headwater/kernel";
import type { Destination } from "../destination.ts";
import { s3Key } from "../s3/s3Destination.ts";
import { createContainerClient, isLackOfRight, onAzure } from "./azureClient.ts";
import { createAzureUpload, dropBlocks } from "./azureUpload.ts";

/**
 * Creates a destination in a container of Azure Blob Storage.
 * @param folder the path without placeholders.
 */
export function createAzureDestination(
  storage: AzureStorage,
  { outbound, folder }: { readonly outbound: Outbound; readonly folder: string },
): Destination {
  const container = createContainerClient(storage, outbound);
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
      await onAzure(() => dropBlocks(blob, abortSignal));
    },
  };
}
