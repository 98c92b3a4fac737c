import { createHash } from "node:crypto";
import {
  createSandbox,
  type EndReason,
  runTwice,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
  type TaskLimits,
} from "@headwater/sandbox";
import type { FileKey, FileStore, FileUpload, WrittenFile } from "../files/fileStore.ts";
import { importFailed } from "./importError.ts";
import type { PackedText, PackedWorkbook, SourceForm } from "./sourceForm.ts";
import { SourceHost } from "./sourceHost.ts";
import type { SourceResult, SourceTasks } from "./sourceProcess.ts";
import type { SearchedText } from "./textSearch.ts";

/** Text grows threefold at most when it becomes UTF-8. */
const COPY_BYTES_MAX = 30 * 1024 ** 3;

/** A file whose content an account wrote. */
export interface ForeignFile {
  readonly account: number;
  readonly key: FileKey;
  readonly bytes: number;
}

/** Store of the file, and what ends the reading. */
export interface Access {
  readonly files: FileStore;
  readonly signal: AbortSignal;
}

/**
 * Reads files that accounts wrote, in processes of their own. Every call fails with a HeadwaterError `IMPORT_CONFIGURATION_ERROR` for a file
 * that cannot be read, or that ended its process; with a retriable one while the store of files is away or all processes are taken.
 */
export interface SourceReader {
  /** Finds how a source is packed and written. */
  findForm(file: ForeignFile, encoding: string | undefined, access: Access): Promise<SourceForm>;
  /** Writes a source as plain bytes, in UTF-8 where it has an encoding. */
  unpack(file: ForeignFile, how: Unpacking, access: Access): Promise<WrittenFile>;
  /** Writes the first sheet of a workbook as csv. */
  writeSheet(file: ForeignFile, how: SheetWriting, access: Access): Promise<WrittenFile>;
  /** Writes the rows of a Parquet file as lines of JSON. */
  writeRows(file: ForeignFile, to: FileKey, access: Access): Promise<WrittenRows>;
  /** Returns whether the text of a file holds one of those that are searched for. */
  search(file: ForeignFile, about: Searching, access: Access): Promise<boolean>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export interface Unpacking extends Omit<PackedText, "bytes"> {
  readonly to: FileKey;
}

export interface SheetWriting extends Omit<PackedWorkbook, "bytes"> {
  readonly to: FileKey;
}

export interface WrittenRows extends WrittenFile {
  readonly columns: readonly string[];
}

export interface Searching {
  readonly form: SourceForm;
  readonly searched: readonly SearchedText[];
}

export interface SourceReaderOptions extends Pick<SandboxOptions, "processes" | "onEnded"> {
  /** Longest time between two ranges that a process reads or writes; default 60 s. */
  readonly deadlineMs?: number;
}

const MIB = 1024 * 1024;
/** A row group of the largest size, unpacked, with its values and their text: a million values in lists take most of it. */
const MEMORY_BYTES_MAX = 768 * MIB;
/** Longest message of a process: it writes 512 KiB at a time, and names of columns at the end. */
const OUTPUT_BYTES_MAX = 32 * MIB;
const DEADLINE_MS = 60_000;

/** Creates a reader whose processes start with their first work. One account never has all of them for itself. */
export function createSourceReader({ deadlineMs = DEADLINE_MS, ...options }: SourceReaderOptions = {}): SourceReader {
  const sandbox = createSandbox<SourceTasks>({
    ...options,
    name: "sources",
    what: "files",
    entry: new URL("./sourceProcess.ts", import.meta.url),
    memoryBytesMax: MEMORY_BYTES_MAX,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return new SandboxedReader(sandbox, deadlineMs);
}

class SandboxedReader implements SourceReader {
  readonly #sandbox: Sandbox<SourceTasks>;
  readonly #deadlineMs: number;

  constructor(sandbox: Sandbox<SourceTasks>, deadlineMs: number) {
    this.#sandbox = sandbox;
    this.#deadlineMs = deadlineMs;
  }

  findForm(file: ForeignFile, encoding: string | undefined, access: Access): Promise<SourceForm> {
    const { account, bytes } = file;
    return this.#twice({ file, access }, (limits) => {
      return this.#sandbox.run(account, "findForm", { bytes, encoding }, limits);
    });
  }

  async unpack(file: ForeignFile, { to, ...how }: Unpacking, access: Access): Promise<WrittenFile> {
    const { account, bytes } = file;
    const { written } = await this.#write({ file, access }, to, (limits) => {
      return this.#sandbox.run(account, "unpack", { ...how, bytes }, limits);
    });
    return written;
  }

  async writeSheet(file: ForeignFile, { to, ...how }: SheetWriting, access: Access): Promise<WrittenFile> {
    const { account, bytes } = file;
    const { written } = await this.#write({ file, access }, to, (limits) => {
      return this.#sandbox.run(account, "writeSheet", { ...how, bytes }, limits);
    });
    return written;
  }

  async writeRows(file: ForeignFile, to: FileKey, access: Access): Promise<WrittenRows> {
    const { account, bytes } = file;
    const { written, output } = await this.#write({ file, access }, to, (limits) => {
      return this.#sandbox.run(account, "writeRows", { bytes }, limits);
    });
    return { ...written, ...output };
  }

  search(file: ForeignFile, about: Searching, access: Access): Promise<boolean> {
    const { account, bytes } = file;
    return this.#twice({ file, access }, (limits) => {
      return this.#sandbox.run(account, "search", { ...about, bytes }, limits);
    });
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  /** Runs a task that writes a file. Each attempt begins the file from scratch; nothing of one that fails is left. */
  async #write<Output>(
    of: Run,
    to: FileKey,
    run: TaskRun<Output>,
  ): Promise<{ readonly written: WrittenFile; readonly output: Output }> {
    const { files, signal } = of.access;
    let copy = await CopyOfSource.begin(files, to, signal);
    try {
      const write = (chunk: Uint8Array) => copy.write(chunk);
      const output = await this.#twice({ ...of, write }, run, async () => {
        await copy.abort();
        copy = await CopyOfSource.begin(files, to, signal);
      });
      return { written: await copy.finish(), output };
    } catch (error) {
      await copy.abort();
      throw error;
    }
  }

  /** Runs a task; once more when its process was killed or died, which may be the fault of the machine. */
  async #twice<Output>(of: Run, run: TaskRun<Output>, onAgain?: () => Promise<void>): Promise<Output> {
    const { signal } = of.access;
    const begin = async () => {
      signal.throwIfAborted();
      await onAgain?.();
    };
    const outcome = await runTwice(() => this.#once(of, run), { passing: ["memory", "crashed"], onAgain: begin });
    if (outcome.kind === "done") return accepted(outcome.output);
    signal.throwIfAborted();
    if (outcome.kind === "failed") throw new Error(`a source could not be read: ${outcome.message}`);
    throw importFailed(endedMessage(outcome.reason, this.#deadlineMs));
  }

  async #once<Output>({ file, access, write }: Run, run: TaskRun<Output>): ReturnType<TaskRun<Output>> {
    const { files, signal } = access;
    const host = new SourceHost({ files, key: file.key, bytes: file.bytes, signal, write });
    try {
      const outcome = await run({ deadlineMs: this.#deadlineMs, host: host.answers, signal });
      host.throwFailure();
      return outcome;
    } finally {
      await host.close();
    }
  }
}

/** A file that is written of what a process reads in a source. */
class CopyOfSource {
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

interface Run {
  readonly file: ForeignFile;
  readonly access: Access;
  readonly write?: (chunk: Uint8Array) => Promise<void>;
}

type TaskRun<Output> = (limits: TaskLimits) => Promise<SandboxOutcome<SourceResult<Output>>>;

function accepted<Output>(result: SourceResult<Output>): Output {
  if (result.kind === "refused") throw importFailed(result.refusal);
  return result.output;
}

/** Returns the message for a source that ended its process. */
function endedMessage(reason: EndReason, deadlineMs: number): string {
  switch (reason) {
    case "deadline":
      return `The source cannot be read: a part of it was not read within ${deadlineMs / 1_000} s.`;
    case "memory":
      return `The source cannot be read: it takes more than ${MEMORY_BYTES_MAX / MIB} MiB of memory.`;
    case "output":
      return "The source cannot be read: it becomes too large.";
    case "crashed":
      return "The source cannot be read: it ended the process that read it.";
  }
}
