import { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand } from "@aws-sdk/client-s3";
import type { Outbound } from "@headwater/kernel";
import { createS3Client, onS3, type S3Access } from "../destinations/s3/s3Client.ts";
import { removeUnfinished, s3Key } from "../destinations/s3/s3Destination.ts";
import { createS3Upload, type S3Location } from "../destinations/s3/s3Upload.ts";
import {
  checked,
  FILE_BYTES_MAX,
  type FileKey,
  type FileStore,
  type FileUpload,
  noBytes,
  writeAll,
} from "./fileStore.ts";
import { filesUnavailable } from "./filesUnavailable.ts";

export interface S3FileStoreOptions extends S3Access {
  /** Begins the keys of all objects. */
  readonly prefix: string;
}

const NEVER = new AbortController().signal;
const REMOVE_TIMEOUT_MS = 30_000;

/**
 * Creates a store of files in a bucket, so that worker and service need not share a disk. An object appears whole when its upload is
 * finished. Errors are those of a store that is away: the bucket is the operator's, and no job is to fail for it.
 */
export function createS3FileStore({ prefix, ...access }: S3FileStoreOptions, outbound: Outbound): FileStore {
  const client = createS3Client(access, outbound);
  const locationOf = ({ accountId, id }: FileKey): S3Location => {
    return { client, Bucket: access.aws_bucket, Key: s3Key(`${prefix}/${checked(accountId)}`, checked(id)) };
  };
  const open = (key: FileKey, signal = NEVER) => {
    const location = locationOf(key);
    return asOwn(async () => {
      await removeUnfinished(location, signal);
      const upload = createS3Upload(location, signal);
      await upload.begin();
      return ownUpload(upload);
    });
  };
  return {
    open,
    write: async (key, chunks, { bytesMax = FILE_BYTES_MAX } = {}) => writeAll(await open(key), chunks, bytesMax),
    read: (key, range) => (range.end < range.start ? noBytes() : readObject(locationOf(key), range)),
    discard: (key) => asOwn(() => removeUnfinished(locationOf(key), AbortSignal.timeout(REMOVE_TIMEOUT_MS))),
    async remove(key) {
      const { client: _, ...position } = locationOf(key);
      const abortSignal = AbortSignal.timeout(REMOVE_TIMEOUT_MS);
      await asOwn(async () => {
        await onS3(() => client.send(new DeleteObjectCommand(position), { abortSignal }));
        await removeUnfinished(locationOf(key), abortSignal);
      });
    },
  };
}

function ownUpload(upload: ReturnType<typeof createS3Upload>): FileUpload {
  return {
    write: (chunk) => asOwn(() => upload.write(chunk)),
    finish: () => asOwn(async () => void (await upload.finish())),
    abort: () => upload.abort(),
  };
}

async function* readObject(
  { client, Bucket, Key }: S3Location,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  const command = new GetObjectCommand({ Bucket, Key, Range: `bytes=${start}-${end}` });
  const { Body } = await asOwn(() => onS3(() => client.send(command)));
  if (!(Body instanceof Readable)) throw new Error("in Node a body is a stream");
  // Whoever stops reading ends the connection.
  for await (const chunk of Body) yield chunk;
}

async function asOwn<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw filesUnavailable("The store of files does not answer. Retry later.", error);
  }
}
