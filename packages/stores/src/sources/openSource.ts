import { addAbortSignal, Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { AzureStorage, S3Storage, Storage } from "@headwater/contracts";
import { createContainerClient, onAzure } from "../destinations/azure/azureClient.ts";
import type { OutsidePorts } from "../destinations/createDestination.ts";
import { LeastRate, type LeastRateLimits, storageRate } from "../destinations/leastRate.ts";
import { createS3Client, onS3 } from "../destinations/s3/s3Client.ts";
import { connectionFailure, storageRefused } from "../destinations/storageFailure.ts";
import { openLink } from "./openLink.ts";

/** A file outside: in a storage, whose path is the file's, or behind a link. */
export type SourceFile = Storage | { readonly type: "http" | "https"; readonly url: string };

/** Most bytes of a source. */
export const SOURCE_BYTES_MAX = 10 * 1024 * 1024 * 1024;

/** Time that a source may take. */
export interface SourceTimes extends LeastRateLimits {
  /** All of it, however fast it is. */
  readonly totalMs: number;
}

const sourceTimes: SourceTimes = { ...storageRate, totalMs: 4 * 3_600_000 };

/**
 * Reads a file from outside, at most 10 GiB, at 32 KiB a second or more and within four hours. Whoever stops before the end closes the
 * connection.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR`; `retriable` when there was no answer.
 */
export async function* readSource(
  source: SourceFile,
  { times, ...ports }: OutsidePorts & { readonly times?: Partial<SourceTimes> },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const limits = { ...sourceTimes, ...times };
  const rate = new LeastRate(limits);
  const ended = new AbortController();
  const giveUp = (reason: Error) => ended.abort(reason);
  const total = setTimeout(() => giveUp(storageRefused("tooLong")), limits.totalMs);
  const chunks = chunksOf(source, ports, AbortSignal.any([signal, ended.signal]));
  let bytes = 0;
  try {
    for (;;) {
      const next = await rate.wait(() => chunks.next(), giveUp);
      if (next.done === true) return;
      const chunk = Buffer.from(next.value);
      rate.moved(chunk.length);
      bytes += chunk.length;
      if (bytes > SOURCE_BYTES_MAX) throw storageRefused("tooLarge");
      yield chunk;
      // A reader that was slow itself is told before it waits for more.
      ended.signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(ended.signal.aborted ? ended.signal.reason : error);
  } finally {
    clearTimeout(total);
    const closed = chunks.return(undefined);
    // A call that was given up may never end.
    if (ended.signal.aborted) void Promise.allSettled([closed]);
    else await closed;
  }
}

function chunksOf(source: SourceFile, ports: OutsidePorts, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  switch (source.type) {
    case "s3":
      return readS3(source, ports, signal);
    case "sftp":
      return ports.sftp.readFile({ ...ports, storage: source }, signal);
    case "azureblob":
      return readAzure(source, ports, signal);
    default:
      return openLink(source.url, ports.outbound, signal);
  }
}

async function* readS3(
  source: S3Storage,
  { outbound }: OutsidePorts,
  abortSignal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const client = createS3Client(source, outbound);
  const command = new GetObjectCommand({ Bucket: source.aws_bucket, Key: (source.aws_path ?? "").replace(/^\/+/, "") });
  const { Body } = await onS3(() => client.send(command, { abortSignal }));
  if (Body === undefined) throw storageRefused("notThere");
  if (!(Body instanceof Readable)) throw storageRefused("request", "no stream");
  yield* addAbortSignal(abortSignal, Body);
}

async function* readAzure(
  source: AzureStorage,
  { outbound }: OutsidePorts,
  abortSignal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const blob = createContainerClient(source, outbound).getBlobClient((source.path ?? "").replace(/^\/+/, ""));
  const { readableStreamBody } = await onAzure(() => blob.download(0, undefined, { abortSignal }));
  if (!(readableStreamBody instanceof Readable)) throw storageRefused("notThere");
  for await (const chunk of addAbortSignal(abortSignal, readableStreamBody)) yield Buffer.from(chunk);
}
