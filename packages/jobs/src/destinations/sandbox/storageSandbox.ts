import type { Storage } from "@headwater/contracts";
import { type Outbound, withTimeout } from "@headwater/kernel";
import {
  ByteChunks,
  createSandbox,
  type Host,
  runTwice,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
  type TaskLimits,
} from "@headwater/sandbox";
import { ABORT_TIMEOUT_MS, type Destination, type LocatedFile, type Upload } from "../destination.ts";
import type { HostKeys } from "../sftp/hostKeys.ts";
import { storageAway, storageError, storageRefused } from "../storageFailure.ts";
import { CHUNKS_BYTES_MAX, ChunkQueue } from "./chunkQueue.ts";
import { SFTP_PORT_DEFAULT } from "./storageAddress.ts";
import { StorageConnections } from "./storageConnections.ts";
import type { StorageResult, StorageTasks } from "./storageProcess.ts";
import type { StorageFolders } from "./storageProtocol.ts";

/** A storage that an account named, and the connections to it. */
export interface StorageTarget {
  readonly account: number;
  readonly storage: Storage;
  readonly outbound: Pick<Outbound, "connect">;
  readonly hostKeys: HostKeys;
}

/**
 * Calls to storages. Their libraries run in processes of their own, with encryption and the protocol; this one holds the sockets, and passes on
 * bytes that it does not read. Every call throws HeadwaterError `STORAGE_CONNECTION_ERROR`, 429 or 503 when too many wait, and the signal's
 * reason as soon as it is aborted.
 */
export interface StorageSandbox {
  /** Reads the first bytes of the file at the storage's path, within 15 s. */
  readHead(target: StorageTarget, bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Reads the file at the storage's path. Whoever stops before the end closes the connection. */
  readFile(target: StorageTarget, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Returns a folder of the storage as a destination; its check takes 15 s at most, and the caller bounds the time of the others. */
  destination(target: StorageTarget, folders: StorageFolders): Destination;
  /** Ends all processes. */
  close(): Promise<void>;
}

export type StorageSandboxOptions = Pick<SandboxOptions, "processes" | "onEnded">;

const MIB = 1024 * 1024;
/** Two parts of an upload, their copies on the way to the host, and what a library keeps. */
const MEMORY_BYTES_MAX = 256 * MIB;
const OUTPUT_BYTES_MAX = 4 * MIB;
/** Bytes of an upload that wait for its process: whoever writes measures by them how fast the storage is. */
const INPUT_BYTES_MAX = 64 * 1024;
/** Processor time between two answers of this process. */
const DEADLINE_MS = 2_000;
/** Time on the clock of a short call; callers give up earlier. */
const SHORT_CALL_MS = 15_000;
/** Bytes that a storage may send in a short call: of its answers each has at most 1 MiB. */
const SHORT_CALL_BYTES_MAX = 4 * MIB;
const SHORT_CALL: CallLimits = { totalMs: SHORT_CALL_MS, receivedBytesMax: SHORT_CALL_BYTES_MAX };

interface CallLimits {
  readonly totalMs?: number;
  readonly receivedBytesMax?: number;
  /** Time for which connections stay open after the signal was aborted. */
  readonly graceMs?: number;
  /** Questions of the process other than those for its connections. */
  readonly host?: Host;
}

type Run<Output> = (limits: TaskLimits) => Promise<SandboxOutcome<StorageResult<Output>>>;

/** A call that is under way. */
interface StorageCall<Output> {
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly outcome: ReturnType<Run<Output>>;
  /** Resolves when the process has ended its work. */
  readonly ended: Promise<void>;
}

/** Creates what calls storages. Its processes start with their first work; one account never has all of them. */
export function createStorageSandbox(options: StorageSandboxOptions = {}): StorageSandbox {
  const sandbox = createSandbox<StorageTasks>({
    ...options,
    name: "storages",
    what: "connections to storages",
    entry: new URL("./storageProcess.ts", import.meta.url),
    memoryBytesMax: MEMORY_BYTES_MAX,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return new SandboxedStorages(sandbox);
}

class SandboxedStorages implements StorageSandbox {
  readonly #sandbox: Sandbox<StorageTasks>;

  constructor(sandbox: Sandbox<StorageTasks>) {
    this.#sandbox = sandbox;
  }

  async readHead(target: StorageTarget, bytes: number, signal: AbortSignal): Promise<Buffer> {
    const { account, storage } = target;
    const run = (limits: TaskLimits) => this.#sandbox.run(account, "readHead", { storage, bytes }, limits);
    return Buffer.from(await twice(() => begin(target, signal, SHORT_CALL, run).outcome));
  }

  async *readFile(target: StorageTarget, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { account, storage } = target;
    const left = new AbortController();
    const taken = new ChunkQueue(CHUNKS_BYTES_MAX);
    const host = { take: ({ chunks }: ByteChunks) => writeAll(taken, chunks) };
    const run = (limits: TaskLimits) => this.#sandbox.run(account, "readFile", storage, limits);
    begin(target, AbortSignal.any([signal, left.signal]), { host }, run)
      .outcome.then(outputOf)
      .then(
        () => taken.end(),
        (error: unknown) => taken.fail(error),
      );
    try {
      for (let chunks = await taken.read(); chunks.length > 0; chunks = await taken.read()) yield* chunks;
    } finally {
      left.abort();
    }
  }

  destination(target: StorageTarget, folders: StorageFolders): Destination {
    const { account, storage } = target;
    return {
      check: async (signal) => {
        const run = (limits: TaskLimits) => this.#sandbox.run(account, "check", { storage, folders }, limits);
        await twice(() => begin(target, signal, SHORT_CALL, run).outcome);
      },
      open: (name, signal) => {
        const input = { storage, folders, name };
        return openUpload(target, signal, (limits) => this.#sandbox.run(account, "upload", input, limits));
      },
      discard: async (name, signal) => {
        const input = { storage, folders, name };
        const run = (limits: TaskLimits) => this.#sandbox.run(account, "discard", input, limits);
        await twice(() => begin(target, signal, {}, run).outcome);
      },
    };
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

/** Begins an upload: the process asks for its chunks one at a time, the first time when the file is open. */
async function openUpload(target: StorageTarget, signal: AbortSignal, run: Run<null>): Promise<Upload> {
  const provided = new ChunkQueue(INPUT_BYTES_MAX);
  const opened = Promise.withResolvers<void>();
  const host = {
    async nextChunks(): Promise<ByteChunks | null> {
      opened.resolve();
      const chunks = await provided.read();
      return chunks.length === 0 ? null : new ByteChunks(chunks, null);
    },
  };
  const left = new AbortController();
  const limits = { host, graceMs: ABORT_TIMEOUT_MS };
  const { outcome, ended } = begin(target, AbortSignal.any([signal, left.signal]), limits, run);
  const uploading = outcome.then(outputOf);
  uploading.then(
    () => provided.fail(storageAway("the upload ended early")),
    (error: unknown) => provided.fail(error),
  );
  await Promise.race([opened.promise, uploading]);
  return {
    write: (chunk) => provided.write(chunk),
    async finish(): Promise<LocatedFile> {
      provided.throwIfFailed();
      provided.end();
      await uploading;
      return {};
    },
    async abort() {
      left.abort(new Error("the upload was aborted"));
      await Promise.allSettled([withTimeout(() => ended, ABORT_TIMEOUT_MS)]);
    },
  };
}

/** Calls a storage; once more when the process died, which may be the fault of the call before. */
async function twice<Output>(call: () => ReturnType<Run<Output>>): Promise<Output> {
  return outputOf(await runTwice(call, { passing: ["crashed"] }));
}

/** Runs a task over connections of its own, which are closed behind it, and when the signal is aborted. */
function begin<Output>(
  target: StorageTarget,
  signal: AbortSignal,
  limits: CallLimits,
  run: Run<Output>,
): StorageCall<Output> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stopped = Promise.withResolvers<null>();
  const { totalMs, receivedBytesMax = Number.POSITIVE_INFINITY, graceMs = 0, host } = limits;
  const connections = new StorageConnections({ ...target, receivedBytesMax });
  let cut: NodeJS.Timeout | undefined;
  const stop = () => {
    reject(signal.reason);
    stopped.resolve(null);
    cut = setTimeout(() => connections.end(), graceMs);
  };
  const work = async () => {
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const asked = { ...connections.host, ...keysHost(target), stopped: () => stopped.promise, ...host };
      const outcome = await run({ deadlineMs: DEADLINE_MS, ...(totalMs && { totalMs }), host: asked, signal });
      connections.throwIfRefused();
      return outcome;
    } finally {
      signal.removeEventListener("abort", stop);
      clearTimeout(cut);
      connections.end();
      // No question stays without an answer.
      stopped.resolve(null);
    }
  };
  const working = work();
  const ended = working.then(
    () => undefined,
    () => undefined,
  );
  return { outcome: Promise.race([aborted, working]), ended };
}

/** Keys are pinned for the server that the connections lead to, whatever the process says. */
function keysHost({ storage, hostKeys }: StorageTarget): Host {
  if (storage.type !== "sftp") return {};
  const server = { server: storage.server, port: storage.port ?? SFTP_PORT_DEFAULT };
  return {
    pin: (fingerprint: string) => hostKeys.pin(server, fingerprint),
    replace: (fingerprint: string) => hostKeys.replace(server, fingerprint),
  };
}

async function writeAll(queue: ChunkQueue, chunks: readonly Uint8Array[]): Promise<null> {
  for (const chunk of chunks) await queue.write(chunk);
  return null;
}

function outputOf<Output>(outcome: SandboxOutcome<StorageResult<Output>>): Output {
  if (outcome.kind === "failed") throw storageAway("failed");
  if (outcome.kind === "ended") {
    const cause = `process ended: ${outcome.reason}`;
    // A process that crashed may have been ended by the machine, or with the worker; what passes a limit passes it again.
    throw outcome.reason === "crashed" ? storageAway(cause) : storageRefused("request", cause);
  }
  if (outcome.output.kind === "done") return outcome.output.output;
  const { publicMessage, retriable, cause } = outcome.output.refusal;
  throw storageError(publicMessage, retriable, cause);
}
