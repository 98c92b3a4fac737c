import { createHash } from "node:crypto";
import type { BlockBlobClient } from "@azure/storage-blob";
import { HeadwaterError } from "@headwater/kernel";
import { ABORT_TIMEOUT_MS, type LocatedFile, type Upload } from "../destination.ts";
import { PartBuffers } from "../partBuffers.ts";
import { connectionFailure, storageRefused } from "../storageFailure.ts";
import { onAzure } from "./azureClient.ts";

/** Bytes of a block: with 50,000 of them, the most that Azure takes, a file has at most 390 GiB. */
const BLOCK_BYTES = 8 * 1024 * 1024;
const BLOCKS_MAX = 50_000;
/** Time of giving up that the block on its way may take. */
const IN_FLIGHT_TIMEOUT_MS = 1_500;

/** Begins a blob. Blocks are staged one at a time while the next one is buffered, and committed at the end. */
export function createAzureUpload(blob: BlockBlobClient, signal: AbortSignal): Upload {
  return new AzureUpload(blob, signal);
}

class AzureUpload implements Upload {
  readonly #blob: BlockBlobClient;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  /** Rejects when the upload is stopped. */
  readonly #stopped: Promise<never>;
  /** Ends the block that is on its way. It is not the caller's signal: a request that was cut may still be carried out. */
  readonly #cutting = new AbortController();
  readonly #blocks: string[] = [];
  readonly #buffered = new PartBuffers(BLOCK_BYTES);
  #sending: Promise<void> = Promise.resolve();
  /** True when blocks were staged where no blob was. */
  #isNew = false;

  constructor(blob: BlockBlobClient, signal: AbortSignal) {
    this.#blob = blob;
    this.#signal = AbortSignal.any([signal, this.#stopping.signal]);
    this.#stopped = rejectedAtAbort(this.#signal);
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      rest = this.#buffered.add(rest);
      if (this.#buffered.isFull) await this.#stageBlock();
    }
  }

  async finish(): Promise<LocatedFile> {
    const abortSignal = this.#signal;
    if (this.#blocks.length === 0) {
      const body = this.#buffered.take();
      const blobHTTPHeaders = { blobContentMD5: md5(body) };
      await onAzure(() => this.#blob.upload(body, body.length, { abortSignal, blobHTTPHeaders }));
      return {};
    }
    if (this.#buffered.bytes > 0) await this.#stageBlock();
    await this.#sent();
    await onAzure(() => this.#blob.commitBlockList(this.#blocks, { abortSignal }));
    return {};
  }

  /**
   * Staged blocks go when a blob is written over them: an empty one, where none of an earlier attempt was. The block on its way is
   * waited for first, because the service could stage it after that.
   */
  async abort(): Promise<void> {
    const ended = AbortSignal.timeout(ABORT_TIMEOUT_MS);
    this.#stopping.abort();
    const cut = setTimeout(() => this.#cutting.abort(), IN_FLIGHT_TIMEOUT_MS);
    await Promise.allSettled([this.#sending]);
    clearTimeout(cut);
    if (!this.#isNew) return;
    await Promise.allSettled([deleteBlocks(this.#blob, ended)]);
  }

  async #stageBlock(): Promise<void> {
    await this.#sent();
    if (this.#blocks.length === 0) this.#isNew = await this.#looksNew();
    if (this.#blocks.length === BLOCKS_MAX) throw storageRefused("tooLarge");
    const id = Buffer.from(String(this.#blocks.length).padStart(6, "0")).toString("base64");
    this.#blocks.push(id);
    const sending = this.#send(id, this.#buffered.take());
    // It is awaited before the next block, at the end, or when it is given up.
    sending.catch((error: unknown) => this.#stopping.abort(error));
    this.#sending = sending;
  }

  /** A token that may not read shows nothing. */
  async #looksNew(): Promise<boolean> {
    try {
      return !(await onAzure(() => this.#blob.exists({ abortSignal: this.#signal })));
    } catch (error) {
      if (error instanceof HeadwaterError && !error.retriable) return false;
      throw error;
    }
  }

  /** Waits until the last block is staged, or until the upload is stopped. */
  async #sent(): Promise<void> {
    await Promise.race([this.#sending, this.#stopped]);
  }

  async #send(id: string, body: Buffer): Promise<void> {
    const transactionalContentMD5 = md5(body);
    const options = { abortSignal: this.#cutting.signal, transactionalContentMD5 };
    await onAzure(() => this.#blob.stageBlock(id, body, body.length, options));
  }
}

/** Removes the blocks of a blob that is not there. */
export async function deleteBlocks(blob: BlockBlobClient, abortSignal: AbortSignal): Promise<void> {
  const { etag } = await blob.upload("", 0, { abortSignal });
  await blob.delete({ abortSignal, ...(etag !== undefined && { conditions: { ifMatch: etag } }) });
}

function rejectedAtAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Awaited only next to a block that is on its way.
  void Promise.allSettled([promise]);
  const stop = () => reject(connectionFailure(signal.reason));
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return promise;
}

/** The service compares it with what it received. */
function md5(body: Buffer): Buffer {
  return createHash("md5").update(body).digest();
}
