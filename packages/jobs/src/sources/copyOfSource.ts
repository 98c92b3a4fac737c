import { createHash } from "node:crypto";
import type { FileKey, FileStore, FileUpload, WrittenFile } from "../files/fileStore.ts";
import { importFailed } from "./importError.ts";

/** Text grows threefold at most when it becomes UTF-8. */
const COPY_BYTES_MAX = 30 * 1024 ** 3;

/** A file that is written of what a process reads in a source. */
export class CopyOfSource {
  readonly #upload: FileUpload;
  readonly #sum = createHash("sha256");
  #bytes = 0;
  #isEnded = false;

  private constructor(upload: FileUpload) {
    this.#upload = upload;
  }

  static async begin(files: FileStore, key: FileKey, signal: AbortSignal): Promise<CopyOfSource> {
    return new CopyOfSource(await files.open(key, signal));
  }

  /** @throws HeadwaterError for more bytes than a copy may have. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    if (this.#bytes > COPY_BYTES_MAX) throw importFailed(`The source has more than ${COPY_BYTES_MAX} bytes as text.`);
    this.#sum.update(chunk);
    await this.#upload.write(chunk);
  }

  async finish(): Promise<WrittenFile> {
    this.#isEnded = true;
    await this.#upload.finish();
    return { bytes: this.#bytes, sha256: this.#sum.digest("hex") };
  }

  /** Leaves nothing of it; a file that is finished stays. */
  async abort(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#upload.abort();
  }
}
