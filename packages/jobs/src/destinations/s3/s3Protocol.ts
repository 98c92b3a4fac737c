import { addAbortSignal, Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { S3Storage } from "@headwater/contracts";
import type { StoragePorts, StorageProtocol } from "../sandbox/storageProtocol.ts";
import { storageRefused } from "../storageFailure.ts";
import { createS3Client, onS3 } from "./s3Client.ts";
import { createS3Destination } from "./s3Destination.ts";

/** Creates what calls S3, or a compatible store. */
export function createS3Protocol(storage: S3Storage, { agents }: Pick<StoragePorts, "agents">): StorageProtocol {
  const client = createS3Client(storage, agents);
  const { aws_bucket: Bucket, aws_path: path = "" } = storage;
  return {
    destination: ({ folder }) => createS3Destination({ client, Bucket, folder }),
    async *read(abortSignal) {
      const command = new GetObjectCommand({ Bucket, Key: path.replace(/^\/+/, "") });
      const { Body } = await onS3(() => client.send(command, { abortSignal }));
      if (Body === undefined) throw storageRefused("notThere");
      if (!(Body instanceof Readable)) throw storageRefused("request", "no stream");
      yield* addAbortSignal(abortSignal, Body);
    },
  };
}
