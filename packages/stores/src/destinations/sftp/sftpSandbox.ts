import { once } from "node:events";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { SftpStorage } from "@headwater/contracts";
import { HeadwaterError, type Outbound, withTimeout } from "@headwater/kernel";
import {
  createSandbox,
  type Host,
  hostOfSocket,
  passOn,
  runTwice,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
  type TaskLimits,
} from "@headwater/sandbox";
import { ABORT_TIMEOUT_MS, type Destination, type PlacedFile, type Upload } from "../destination.ts";
import { connectionFailure, storageAway, storageRefused } from "../storageFailure.ts";
import type { HostKeys } from "./hostKeys.ts";
import { SFTP_PORT_DEFAULT } from "./sftpConnection.ts";
import type { SftpFolders } from "./sftpDestination.ts";
import type { SftpResult, SftpTasks } from "./sftpProcess.ts";

/** An SFTP server that an account named, and the connections to it. */
export interface SftpTarget {
  readonly account: number;
  readonly storage: SftpStorage;
  readonly outbound: Pick<Outbound, "connect">;
  readonly hostKeys: HostKeys;
}

/**
 * Calls to SFTP servers. Key exchange, encryption and the protocol run in processes of their own; this one holds the sockets, and passes on
 * bytes that it does not read. Every call throws HeadwaterError `STORAGE_CONNECTION_ERROR`, and 429 or 503 when too many wait.
 */
export interface SftpSandbox {
  /** Signs in and finds the storage's folder, within 15 s. */
  checkFolder(target: SftpTarget, signal: AbortSignal): Promise<void>;
  /** Signs in and reads the first bytes of the file at the storage's path, within 15 s. */
  readHead(target: SftpTarget, bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Reads the file at the storage's path. Whoever stops before the end closes the connection. */
  readFile(target: SftpTarget, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Returns a folder of the server as a destination. The caller bounds its time. */
  destination(target: SftpTarget, folders: SftpFolders): Destination;
  /** Ends all processes. */
  close(): Promise<void>;
}

export type SftpSandboxOptions = Pick<SandboxOptions, "processes" | "onEnded">;

const MIB = 1024 * 1024;
/** Processor time between two messages of a server. */
const DEADLINE_MS = 2_000;
/** Time on the clock of a short call; callers give up earlier. */
const SHORT_CALL_MS = 15_000;
/** Bytes that a server may send in a short call. */
const SHORT_CALL_BYTES_MAX = MIB;
const SHORT_CALL: CallLimits = { totalMs: SHORT_CALL_MS, receivedBytesMax: SHORT_CALL_BYTES_MAX };

interface CallLimits {
  readonly totalMs?: number;
  readonly receivedBytesMax?: number;
  /** Questions of the process besides the bytes of the connection. */
  readonly host?: Host;
}

type Run<Output> = (limits: TaskLimits) => Promise<SandboxOutcome<SftpResult<Output>>>;

/** Creates what calls SFTP servers. Its processes start with their first work; one account never has all of them. */
export function createSftpSandbox(options: SftpSandboxOptions = {}): SftpSandbox {
  const sandbox = createSandbox<SftpTasks>({
    ...options,
    name: "sftp",
    what: "connections to SFTP servers",
    entry: new URL("./sftpProcess.ts", import.meta.url),
    memoryBytesMax: 128 * MIB,
    outputBytesMax: 4 * MIB,
  });
  return new SandboxedSftp(sandbox);
}

class SandboxedSftp implements SftpSandbox {
  readonly #sandbox: Sandbox<SftpTasks>;

  constructor(sandbox: Sandbox<SftpTasks>) {
    this.#sandbox = sandbox;
  }

  async checkFolder(target: SftpTarget, signal: AbortSignal): Promise<void> {
    const { account, storage } = target;
    const run = (limits: TaskLimits) => this.#sandbox.run(account, "checkFolder", storage, limits);
    await twice(() => connected(target, signal, SHORT_CALL, run));
  }

  async readHead(target: SftpTarget, bytes: number, signal: AbortSignal): Promise<Buffer> {
    const { account, storage } = target;
    const run = (limits: TaskLimits) => this.#sandbox.run(account, "readHead", { storage, bytes }, limits);
    const head = await twice(() => connected(target, signal, SHORT_CALL, run));
    return Buffer.from(head).subarray(0, bytes);
  }

  async *readFile(target: SftpTarget, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { account, storage } = target;
    const left = new AbortController();
    const bytes = new PassThrough();
    const host = { take: (chunk: unknown) => passOn(bytes, chunk) };
    const run = (limits: TaskLimits) => this.#sandbox.run(account, "readFile", storage, limits);
    const reading = connected(target, AbortSignal.any([signal, left.signal]), { host }, run)
      .then((outcome) => outputOf(outcome))
      .then(
        () => void bytes.end(),
        (error: Error) => void bytes.destroy(error),
      );
    try {
      yield* bytes;
    } finally {
      left.abort();
      bytes.destroy();
      await reading;
    }
  }

  destination(target: SftpTarget, folders: SftpFolders): Destination {
    const { account, storage } = target;
    return {
      check: (signal) => this.checkFolder(target, signal),
      open: (name, signal) => {
        const input = { storage, folders, name };
        return openUpload(target, signal, (limits) => this.#sandbox.run(account, "upload", input, limits));
      },
      discard: async (name, signal) => {
        const input = { storage, folders, name };
        const run = (limits: TaskLimits) => this.#sandbox.run(account, "discard", input, limits);
        await twice(() => connected(target, signal, {}, run));
      },
    };
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

/** Begins an upload: the process asks for its chunks one at a time, the first time when the file is open. */
async function openUpload(target: SftpTarget, signal: AbortSignal, run: Run<null>): Promise<Upload> {
  const bytes = new PassThrough();
  // Writes and the process's next question fail with it.
  bytes.on("error", () => undefined);
  const chunks = bytes[Symbol.asyncIterator]();
  const opened = Promise.withResolvers<void>();
  const host = {
    async nextChunk(): Promise<Uint8Array | null> {
      opened.resolve();
      const { done, value } = await chunks.next();
      return done === true ? null : value;
    },
  };
  const left = new AbortController();
  const uploading = connected(target, AbortSignal.any([signal, left.signal]), { host }, run).then(outputOf);
  const early = uploading.then(() => {
    throw storageAway("the upload ended early");
  });
  void Promise.allSettled([uploading, early]);
  await Promise.race([opened.promise, early]);
  return {
    async write(chunk) {
      if (!bytes.write(chunk)) await Promise.race([early, once(bytes, "drain")]);
    },
    async finish(): Promise<PlacedFile> {
      bytes.end();
      await uploading;
      return {};
    },
    async abort() {
      bytes.destroy(new Error("the upload was aborted"));
      await Promise.allSettled([withTimeout(() => uploading, ABORT_TIMEOUT_MS)]);
      left.abort();
    },
  };
}

/** Calls a server; once more when the process died, which may be the fault of the call before. */
async function twice<Output>(call: () => Promise<SandboxOutcome<SftpResult<Output>>>): Promise<Output> {
  return outputOf(await runTwice(call, { passing: ["crashed"] }));
}

/** Runs a task over a connection of its own, which is closed behind it, and when the signal is aborted. */
async function connected<Output>(
  target: SftpTarget,
  signal: AbortSignal,
  limits: CallLimits,
  run: Run<Output>,
): ReturnType<Run<Output>> {
  const { totalMs, host } = limits;
  const { server, port = SFTP_PORT_DEFAULT } = target.storage;
  const socket = await target.outbound.connect({ host: server, port }, signal).catch((error: unknown) => {
    throw connectionFailure(error);
  });
  const end = () => socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  try {
    const asked = { ...hostOf(socket, target, limits), ...host };
    const outcome = await run({ deadlineMs: DEADLINE_MS, ...(totalMs && { totalMs }), host: asked, signal });
    signal.throwIfAborted();
    return outcome;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Answers a process that speaks for one socket. Keys are pinned for the server that the socket leads to, whatever the process says. */
function hostOf(socket: Socket, { storage, hostKeys }: SftpTarget, { receivedBytesMax }: CallLimits): Host {
  const server = { server: storage.server, port: storage.port ?? SFTP_PORT_DEFAULT };
  return {
    ...hostOfSocket(socket, { receivedBytesMax }),
    pin: ({ fingerprint }: { readonly fingerprint: string }) => hostKeys.pin(server, fingerprint),
    replace: ({ fingerprint }: { readonly fingerprint: string }) => hostKeys.replace(server, fingerprint),
  };
}

function outputOf<Output>(outcome: SandboxOutcome<SftpResult<Output>>): Output {
  if (outcome.kind === "ended") throw storageRefused("request", `process ended: ${outcome.reason}`);
  if (outcome.kind === "failed") throw storageAway(outcome.message);
  if (outcome.output.kind === "done") return outcome.output.output;
  const { publicMessage, retriable } = outcome.output.refusal;
  throw new HeadwaterError({ code: "STORAGE_CONNECTION_ERROR", status: 422, publicMessage, retriable });
}
