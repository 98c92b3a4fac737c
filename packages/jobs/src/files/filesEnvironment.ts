import { readFileSync } from "node:fs";
import { HeadwaterError, type Outbound } from "@headwater/kernel";
import { z } from "zod";
import { createFileStore, type FileStore } from "./fileStore.ts";

/** Variables that say where files for download are: a folder that worker and service share, or a bucket. */
export const filesEnvironment = {
  /** Ignored when there is a bucket. */
  HEADWATER_FILES_FOLDER: z.string().min(1).default(".headwater/files"),
  /** A bucket of S3 or of a compatible store. */
  HEADWATER_FILES_BUCKET: z.string().min(1).optional(),
  /** Begins the keys of the objects. */
  HEADWATER_FILES_PREFIX: z.string().default("headwater"),
  HEADWATER_FILES_REGION: z.string().min(1).optional(),
  /** Address of a store other than that of AWS. */
  HEADWATER_FILES_ENDPOINT: z.url().optional(),
  HEADWATER_FILES_ACCESS_KEY_ID: z.string().min(1).optional(),
  /** File with the secret access key. */
  HEADWATER_FILES_SECRET_FILE: z.string().min(1).optional(),
} as const;

const shape = z.object(filesEnvironment);

/**
 * Opens the store of files that the environment names. Nothing is connected yet, and without a bucket no client of S3 is loaded.
 * @param outbound ways out to hosts that the operator names.
 * @throws HeadwaterError `CONFIG_INVALID` for a bucket without credentials.
 */
export async function openFileStore(config: z.output<typeof shape>, outbound: Outbound): Promise<FileStore> {
  const bucket = config.HEADWATER_FILES_BUCKET;
  if (bucket === undefined) return createFileStore({ folder: config.HEADWATER_FILES_FOLDER });
  const { HEADWATER_FILES_ACCESS_KEY_ID: keyId, HEADWATER_FILES_SECRET_FILE: secretFile } = config;
  if (keyId === undefined || secretFile === undefined) throw noCredentials();
  const { HEADWATER_FILES_REGION: region, HEADWATER_FILES_ENDPOINT: endpoint } = config;
  const options = {
    prefix: config.HEADWATER_FILES_PREFIX,
    aws_bucket: bucket,
    aws_access_key_id: keyId,
    aws_secret_access_key: readFileSync(secretFile, "utf8").trim(),
    ...(region !== undefined && { aws_region: region }),
    ...(endpoint !== undefined && { aws_endpoint: endpoint }),
  };
  const { createS3FileStore } = await import("./s3FileStore.ts");
  return createS3FileStore(options, outbound);
}

function noCredentials(): HeadwaterError {
  const publicMessage = "HEADWATER_FILES_BUCKET needs HEADWATER_FILES_ACCESS_KEY_ID and HEADWATER_FILES_SECRET_FILE.";
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}
