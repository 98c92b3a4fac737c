import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { PlacedFile, Upload } from "../destination.ts";
import { storageRefused } from "../storageFailure.ts";
import { onS3 } from "./s3Client.ts";

export interface S3Place {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly Key: string;
}

/** Bytes of a part: with 10,000 of them, the most that S3 takes, a file has at most 156 GiB. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_MAX = 10_000;
const ABORT_TIMEOUT_MS = 10_000;
const ChecksumAlgorithm = "CRC32" as const;

/** Begins an object. What fits in one part is put at once; else parts are sent one at a time while the next one is gathered. */
export function createS3Upload(place: S3Place, signal: AbortSignal, options: S3UploadOptions = {}): Upload {
  return new S3Upload(place, signal, options);
}

export interface S3UploadOptions {
  /** Sends a small object in parts, too: then one whose upload was given up by another writer cannot be finished any more. */
  readonly isFenced?: boolean;
}

class S3Upload implements Upload {
  readonly #client: S3Client;
  readonly #place: { readonly Bucket: string; readonly Key: string };
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #parts: CompletedPart[] = [];
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  readonly #isFenced: boolean;
  #uploadId: string | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor({ client, ...place }: S3Place, signal: AbortSignal, { isFenced = false }: S3UploadOptions) {
    this.#isFenced = isFenced;
    this.#client = client;
    this.#place = place;
    this.#signal = AbortSignal.any([signal, this.#stopping.signal]);
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, PART_BYTES - this.#gatheredBytes);
      this.#gathered.push(part);
      this.#gatheredBytes += part.length;
      rest = rest.subarray(part.length);
      if (this.#gatheredBytes === PART_BYTES) await this.#sendPart();
    }
  }

  async finish(): Promise<PlacedFile> {
    // An upload without parts cannot be finished: an empty object is put.
    if (this.#uploadId === undefined && this.#isFenced && this.#gatheredBytes > 0) await this.#sendPart();
    if (this.#uploadId === undefined) await this.#putWhole();
    else await this.#complete(this.#uploadId);
    return {};
  }

  async #complete(UploadId: string): Promise<void> {
    if (this.#gatheredBytes > 0) await this.#sendPart();
    await this.#sending;
    const command = new CompleteMultipartUploadCommand({
      ...this.#place,
      UploadId,
      MultipartUpload: { Parts: this.#parts },
    });
    await onS3(() => this.#client.send(command, { abortSignal: this.#signal }));
  }

  async abort(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([this.#sending]);
    if (this.#uploadId === undefined) return;
    const command = new AbortMultipartUploadCommand({ ...this.#place, UploadId: this.#uploadId });
    const abortSignal = AbortSignal.timeout(ABORT_TIMEOUT_MS);
    await Promise.allSettled([this.#client.send(command, { abortSignal })]);
  }

  async #putWhole(): Promise<void> {
    const command = new PutObjectCommand({ ...this.#place, Body: this.#takeGathered(), ChecksumAlgorithm });
    await onS3(() => this.#client.send(command, { abortSignal: this.#signal }));
  }

  async #sendPart(): Promise<void> {
    await this.#sending;
    this.#uploadId ??= await this.#create();
    const PartNumber = this.#parts.length + 1;
    if (PartNumber > PARTS_MAX) throw storageRefused("tooLarge");
    const body = this.#takeGathered();
    const sending = this.#upload(body, PartNumber, this.#uploadId);
    // It is awaited before the next part, at the end, or when it is given up.
    sending.catch((error: unknown) => this.#stopping.abort(error));
    this.#parts.push({ PartNumber });
    this.#sending = sending;
  }

  async #create(): Promise<string> {
    const command = new CreateMultipartUploadCommand({ ...this.#place, ChecksumAlgorithm });
    const { UploadId } = await onS3(() => this.#client.send(command, { abortSignal: this.#signal }));
    if (UploadId === undefined) throw storageRefused("request", "no UploadId");
    return UploadId;
  }

  async #upload(Body: Buffer, PartNumber: number, UploadId: string): Promise<void> {
    const command = new UploadPartCommand({ ...this.#place, UploadId, PartNumber, Body, ChecksumAlgorithm });
    const { ETag, ChecksumCRC32 } = await onS3(() => this.#client.send(command, { abortSignal: this.#signal }));
    const checksum = ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 };
    this.#parts[PartNumber - 1] = { PartNumber, ...(ETag !== undefined && { ETag }), ...checksum };
  }

  #takeGathered(): Buffer {
    const body = Buffer.concat(this.#gathered, this.#gatheredBytes);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return body;
  }
}
