import type { Socket } from "node:net";
import type { SftpStorage } from "@headwater/contracts";
import { HeadwaterError, type Outbound } from "@headwater/kernel";
import {
  createSandbox,
  type Host,
  runTwice,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
} from "@headwater/sandbox";
import { connectionFailure, storageAway, storageRefused } from "../storageFailure.ts";
import type { HostKeys } from "./hostKeys.ts";
import { SFTP_PORT_DEFAULT } from "./sftpConnection.ts";
import type { SftpResult, SftpTasks } from "./sftpProcess.ts";

/** An SFTP server that an account named, and the ways to it. */
export interface SftpTarget {
  readonly account: number;
  readonly storage: SftpStorage;
  readonly outbound: Pick<Outbound, "connect">;
  readonly hostKeys: HostKeys;
}

/**
 * Short calls to SFTP servers. Key exchange, encryption and the protocol run in processes of their own; this one holds the sockets, and passes
 * on bytes that it does not read.
 */
export interface SftpChecks {
  /** Signs in and finds the storage's folder. @throws HeadwaterError `STORAGE_CONNECTION_ERROR`, 429 or 503 when too many wait. */
  checkFolder(target: SftpTarget, signal: AbortSignal): Promise<void>;
  /** Signs in and reads the first bytes of the file at the storage's path. @throws HeadwaterError, as `checkFolder` does. */
  readHead(target: SftpTarget, bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export type SftpChecksOptions = Pick<SandboxOptions, "processes" | "onEnded">;

const MIB = 1024 * 1024;
/** Processor time between two messages of a server. */
const DEADLINE_MS = 2_000;
/** Time on the clock; callers give up earlier. */
const TOTAL_MS = 15_000;
/** Bytes that a server may send in one call. */
const RECEIVED_BYTES_MAX = MIB;

/** Creates what checks SFTP servers. Its processes start with their first work; one account never has all of them. */
export function createSftpChecks(options: SftpChecksOptions = {}): SftpChecks {
  const sandbox = createSandbox<SftpTasks>({
    ...options,
    name: "sftp",
    what: "sign-ins to SFTP servers",
    entry: new URL("./sftpProcess.ts", import.meta.url),
    memoryBytesMax: 128 * MIB,
    outputBytesMax: 4 * MIB,
  });
  return new SandboxedChecks(sandbox);
}

class SandboxedChecks implements SftpChecks {
  readonly #sandbox: Sandbox<SftpTasks>;

  constructor(sandbox: Sandbox<SftpTasks>) {
    this.#sandbox = sandbox;
  }

  async checkFolder(target: SftpTarget, signal: AbortSignal): Promise<void> {
    const { account, storage } = target;
    await this.#call(target, signal, (limits) => this.#sandbox.run(account, "checkFolder", storage, limits));
  }

  async readHead(target: SftpTarget, bytes: number, signal: AbortSignal): Promise<Buffer> {
    const { account, storage } = target;
    const head = await this.#call(target, signal, (limits) => {
      return this.#sandbox.run(account, "readHead", { storage, bytes }, limits);
    });
    return Buffer.from(head).subarray(0, bytes);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  /** Calls a server; once more when the process died, which may be the fault of the call before. */
  async #call<Output>(target: SftpTarget, signal: AbortSignal, run: Run<Output>): Promise<Output> {
    return outputOf(await runTwice(() => this.#connected(target, signal, run), { passing: ["crashed"] }));
  }

  async #connected<Output>(target: SftpTarget, signal: AbortSignal, run: Run<Output>): ReturnType<Run<Output>> {
    const { server: host, port = SFTP_PORT_DEFAULT } = target.storage;
    const socket = await target.outbound.connect({ host, port }, signal).catch((error: unknown) => {
      throw connectionFailure(error);
    });
    const end = () => socket.destroy();
    signal.addEventListener("abort", end, { once: true });
    try {
      const outcome = await run({ deadlineMs: DEADLINE_MS, totalMs: TOTAL_MS, host: hostOf(socket, target), signal });
      signal.throwIfAborted();
      return outcome;
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  }
}

type Run<Output> = (limits: {
  readonly deadlineMs: number;
  readonly totalMs: number;
  readonly host: Host;
  readonly signal: AbortSignal;
}) => Promise<SandboxOutcome<SftpResult<Output>>>;

/** Answers a process that speaks for one socket. Keys are pinned for the server that the socket leads to, whatever the process says. */
function hostOf(socket: Socket, { storage, hostKeys }: SftpTarget): Host {
  const server = { server: storage.server, port: storage.port ?? SFTP_PORT_DEFAULT };
  const chunks = socket[Symbol.asyncIterator]();
  let received = 0;
  return {
    async receive(): Promise<Uint8Array | null> {
      const { done, value } = await chunks.next();
      if (done === true || !(value instanceof Uint8Array)) return null;
      received += value.length;
      if (received > RECEIVED_BYTES_MAX) throw new Error("the server sent too much");
      return value;
    },
    send: (chunk: Uint8Array) =>
      new Promise<null>((resolve, reject) => {
        socket.write(chunk, (error) => (error ? reject(error) : resolve(null)));
      }),
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
