import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { AzureStorage, S3Storage, SftpStorage, Storage } from "@headwater/contracts";
import { createContainerClient, onAzure } from "../destinations/azure/azureClient.ts";
import { createS3Client, onS3 } from "../destinations/s3/s3Client.ts";
import { connectSftp, type SftpPorts } from "../destinations/sftp/sftpConnection.ts";
import { connectionFailure, storageRefused } from "../destinations/storageFailure.ts";
import { openLink } from "./openLink.ts";

/** A file outside: in a storage, whose path is the file's, or behind a link. */
export type SourceFile = Storage | { readonly type: "http" | "https"; readonly url: string };

/** Most bytes of a source. */
export const SOURCE_BYTES_MAX = 10 * 1024 * 1024 * 1024;

/**
 * Reads a file from outside, at most 10 GiB. Whoever stops before the end closes the connection.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR`; `retriable` when there was no answer.
 */
export async function* readSource(source: SourceFile, ports: SftpPorts, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(source, ports, signal)) {
      bytes += chunk.length;
      if (bytes > SOURCE_BYTES_MAX) throw storageRefused("tooLarge");
      yield Buffer.from(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(error);
  }
}

function chunksOf(source: SourceFile, ports: SftpPorts, signal: AbortSignal): AsyncIterable<Uint8Array> {
  switch (source.type) {
    case "s3":
      return readS3(source, ports, signal);
    case "sftp":
      return readSftp(source, ports, signal);
    case "azureblob":
      return readAzure(source, ports, signal);
    default:
      return openLink(source.url, ports.outbound, signal);
  }
}

async function* readS3(
  source: S3Storage,
  { outbound }: SftpPorts,
  abortSignal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const client = createS3Client(source, outbound);
  const command = new GetObjectCommand({ Bucket: source.aws_bucket, Key: (source.aws_path ?? "").replace(/^\/+/, "") });
  const { Body } = await onS3(() => client.send(command, { abortSignal }));
  if (Body === undefined) throw storageRefused("notThere");
  yield* Body.transformToWebStream();
}

async function* readAzure(
  source: AzureStorage,
  { outbound }: SftpPorts,
  abortSignal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const blob = createContainerClient(source, outbound).getBlobClient((source.path ?? "").replace(/^\/+/, ""));
  const { readableStreamBody } = await onAzure(() => blob.download(0, undefined, { abortSignal }));
  if (readableStreamBody === undefined) throw storageRefused("notThere");
  for await (const chunk of readableStreamBody) yield Buffer.from(chunk);
}

async function* readSftp(source: SftpStorage, ports: SftpPorts, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const connection = await connectSftp(source, ports, signal);
  try {
    await connection.run(() => connection.client.stat(source.path));
    const stream = connection.client.createReadStream(source.path);
    // The answer to its close may be missing when the connection is closed below: an error that nobody waits for any more.
    stream.on("error", () => undefined);
    for await (const chunk of stream) yield Buffer.from(chunk);
  } finally {
    connection.close();
  }
}
