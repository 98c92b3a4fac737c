import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { HeadwaterError, withoutTrailing } from "@headwater/kernel";
import type { Destination } from "../destination.ts";
import { onS3, UPLOAD_GONE } from "./s3Client.ts";
import { createS3Upload, type S3Location } from "./s3Upload.ts";

/** Name of the object that a check begins and gives up. It never exists. */
const CHECKED_NAME = "headwater-connection-check";

export interface S3Folder extends Omit<S3Location, "Key"> {
  /** The path without placeholders. */
  readonly folder: string;
}

/** Creates a destination in a bucket of S3 or of a compatible store. */
export function createS3Destination({ folder, ...bucket }: S3Folder): Destination {
  const { client } = bucket;
  const locationOf = (name: string): S3Location => ({ ...bucket, Key: s3Key(folder, name) });
  return {
    async check(signal) {
      // Nothing but an upload shows that one is allowed; the reading of a bucket often is not.
      const location = locationOf(CHECKED_NAME);
      const { client: _, ...begun } = location;
      const { UploadId } = await onS3(() => client.send(new CreateMultipartUploadCommand(begun), sendOptions(signal)));
      if (UploadId !== undefined) await abortUpload(location, UploadId, signal);
      // A check whose process was killed left its own.
      await removeUnfinished(location, signal);
    },
    async open(name, signal) {
      const position = locationOf(name);
      await removeUnfinished(position, signal);
      const upload = createS3Upload(position, signal);
      await upload.begin();
      return upload;
    },
    discard: (name, signal) => removeUnfinished(locationOf(name), signal),
  };
}

/** Returns the key of a file in a folder of the bucket. */
export function s3Key(folder: string, name: string): string {
  const path = withoutTrailing(folder.replace(/^\/+/, ""), "/");
  return path === "" ? name : `${path}/${name}`;
}

/** Removes the parts that an attempt left which was killed. A store that does not list them keeps them. */
export async function removeUnfinished({ client, Bucket, Key }: S3Location, signal: AbortSignal): Promise<void> {
  const unfinished = await unfinishedUploads({ client, Bucket, Key }, signal);
  for (const UploadId of unfinished) await abortUpload({ client, Bucket, Key }, UploadId, signal);
}

/** Gives up an upload; no error when somebody else has done so. */
async function abortUpload({ client, Bucket, Key }: S3Location, UploadId: string, signal: AbortSignal): Promise<void> {
  await onS3(async () => {
    try {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), sendOptions(signal));
    } catch (error) {
      if (!(error instanceof S3ServiceException) || error.name !== UPLOAD_GONE) throw error;
    }
  });
}

async function unfinishedUploads({ client, Bucket, Key }: S3Location, signal: AbortSignal): Promise<string[]> {
  try {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: Key });
    const { Uploads = [] } = await onS3(() => client.send(list, sendOptions(signal)));
    return Uploads.flatMap(({ Key: key, UploadId }) => (key === Key && UploadId !== undefined ? [UploadId] : []));
  } catch (error) {
    // The right to list uploads is one of its own, and not needed to write.
    if (error instanceof HeadwaterError && !error.retriable) return [];
    throw error;
  }
}

function sendOptions(abortSignal: AbortSignal): Parameters<S3Client["send"]>[1] & object {
  return { abortSignal };
}
