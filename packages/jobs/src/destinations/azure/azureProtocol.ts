import { addAbortSignal, Readable } from "node:stream";
import type { AzureStorage } from "@headwater/contracts";
import type { StoragePorts, StorageProtocol } from "../sandbox/storageProtocol.ts";
import { storageRefused } from "../storageFailure.ts";
import { createContainerClient, onAzure } from "./azureClient.ts";
import { createAzureDestination } from "./azureDestination.ts";

/** Creates what calls Azure Blob Storage. @throws HeadwaterError for an account key that is not base64. */
export function createAzureProtocol(storage: AzureStorage, { agents }: Pick<StoragePorts, "agents">): StorageProtocol {
  const container = createContainerClient(storage, agents);
  return {
    destination: ({ folder }) => createAzureDestination(container, folder),
    async *read(abortSignal) {
      const blob = container.getBlobClient((storage.path ?? "").replace(/^\/+/, ""));
      const { readableStreamBody } = await onAzure(() => blob.download(0, undefined, { abortSignal }));
      if (!(readableStreamBody instanceof Readable)) throw storageRefused("notThere");
      yield* addAbortSignal(abortSignal, readableStreamBody);
    },
  };
}
