import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { ABORT_TIMEOUT_MS, type LocatedFile, type Upload } from "../destination.ts";
import { PartBuffers } from "../partBuffers.ts";
import { storageRefused } from "../storageFailure.ts";
import { onS3 } from "./s3Client.ts";

export interface S3Location {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly Key: string;
}

/** Bytes of a part, of which two are held at a time: with 10,000 parts, the most that S3 takes, a file has at most 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_MAX = 10_000;
const ChecksumAlgorithm = "CRC32" as const;

/** Creates the upload of an object. Its parts are sent one at a time while the next one is buffered. */
export function createS3Upload(location: S3Location, signal: AbortSignal): Upload & Beginning {
  return new S3Upload(location, signal);
}

export interface Beginning {
  /** Begins the upload before there is anything to send: whoever aborts it since fences this writer off. */
  begin(): Promise<void>;
}

class S3Upload implements Upload, Beginning {
  readonly #client: S3Client;
  readonly #place: { readonly Bucket: string; readonly Key: string };
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #parts: CompletedPart[] = [];
  readonly #buffered = new PartBuffers(PART_BYTES);
  #uploadId: string | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor({ client, ...position }: S3Location, signal: AbortSignal) {
    this.#client = client;
    this.#place = position;
    this.#signal = AbortSignal.any([signal, this.#stopping.signal]);
  }

  async begin(): Promise<void> {
    this.#uploadId ??= await this.#create();
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      rest = this.#buffered.add(rest);
      if (this.#buffered.isFull) await this.#sendPart();
    }
  }

  async finish(): Promise<LocatedFile> {
    // An upload without parts cannot be finished: an empty object is put.
    const isEmpty = this.#parts.length === 0 && this.#buffered.bytes === 0;
    if (isEmpty) await this.#putEmpty();
    else await this.#complete();
    return {};
  }

  async #complete(): Promise<void> {
    if (this.#buffered.bytes > 0) await this.#sendPart();
    await this.#sending;
    const UploadId = this.#uploadId;
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
    await Promise.allSettled([this.#abortUpload()]);
  }

  async #abortUpload(): Promise<void> {
    if (this.#uploadId === undefined) return;
    const command = new AbortMultipartUploadCommand({ ...this.#place, UploadId: this.#uploadId });
    const abortSignal = AbortSignal.timeout(ABORT_TIMEOUT_MS);
    await onS3(() => this.#client.send(command, { abortSignal }));
  }

  async #putEmpty(): Promise<void> {
    await this.#abortUpload();
    const command = new PutObjectCommand({ ...this.#place, Body: Buffer.alloc(0), ChecksumAlgorithm });
    await onS3(() => this.#client.send(command, { abortSignal: this.#signal }));
  }

  async #sendPart(): Promise<void> {
    await this.#sending;
    this.#uploadId ??= await this.#create();
    const PartNumber = this.#parts.length + 1;
    if (PartNumber > PARTS_MAX) throw storageRefused("tooLarge");
    const body = this.#buffered.take();
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
}
