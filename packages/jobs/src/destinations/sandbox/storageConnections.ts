import type { Socket } from "node:net";
import type { Storage } from "@headwater/contracts";
import type { HeadwaterError, Outbound } from "@headwater/kernel";
import { ByteChunks } from "@headwater/sandbox";
import { nameOf, OTHER_ADDRESS, storageRefused } from "../storageFailure.ts";
import { CHUNKS_BYTES_MAX, ChunkQueue } from "./chunkQueue.ts";
import type { SocketFailure } from "./hostConnection.ts";
import { type Address, isReachedAt } from "./storageAddress.ts";

export interface StorageConnectionsOptions {
  readonly storage: Storage;
  readonly outbound: Pick<Outbound, "connect">;
  /** Bytes that the storage may send in all. */
  readonly receivedBytesMax: number;
}

/** Connections of one task at a time: a client that breaks off tries again while the others end. */
const CONNECTIONS_MAX = 16;
const TOO_MANY = "TOO_MANY_CONNECTIONS";
const CLOSED = "ECONNRESET";

interface Connection {
  readonly socket: Socket;
  readonly received: ChunkQueue;
}

/** Connections of a process that calls a storage. This one passes on bytes that it does not read. */
export class StorageConnections {
  readonly #options: StorageConnectionsOptions;
  readonly #open = new Map<number, Connection>();
  readonly #ended = new AbortController();
  #opened = 0;
  #received = 0;
  #refusal: HeadwaterError | undefined;

  /** Answers to what the process asks. */
  readonly host = {
    connect: (to: Address): Promise<number | SocketFailure> => this.#connect(to),
    receive: (connection: number) => this.#receive(connection),
    send: (sent: ByteChunks<number>) => this.#send(sent),
    close: async (connection: number): Promise<null> => {
      this.#close(connection);
      return null;
    },
  } as const;

  constructor(options: StorageConnectionsOptions) {
    this.#options = options;
  }

  /** @throws HeadwaterError `STORAGE_CONNECTION_ERROR` when the storage has sent more than it may. */
  throwIfRefused(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** Closes all connections; no other is opened. */
  end(): void {
    this.#ended.abort();
    for (const connection of this.#open.keys()) this.#close(connection);
  }

  async #connect(to: Address): Promise<number | SocketFailure> {
    const { storage, outbound } = this.#options;
    const { signal } = this.#ended;
    if (!isReachedAt(storage, to)) return { code: OTHER_ADDRESS };
    if (this.#open.size >= CONNECTIONS_MAX) return { code: TOO_MANY };
    try {
      const socket = await outbound.connect(to, signal);
      if (signal.aborted) {
        socket.destroy();
        return { code: CLOSED };
      }
      this.#opened += 1;
      this.#open.set(this.#opened, { socket, received: receiveFrom(socket) });
      return this.#opened;
    } catch (error) {
      return { code: nameOf(error) };
    }
  }

  /** Resolves to null at the end. */
  async #receive(connection: number): Promise<ByteChunks | SocketFailure | null> {
    const open = this.#open.get(connection);
    if (open === undefined) return { code: CLOSED };
    try {
      const chunks = await open.received.read();
      for (const { length } of chunks) this.#received += length;
      if (this.#received <= this.#options.receivedBytesMax)
        return chunks.length === 0 ? null : new ByteChunks(chunks, null);
      this.#refusal = storageRefused("longAnswer");
      this.end();
      return { code: CLOSED };
    } catch (error) {
      return { code: nameOf(error) };
    }
  }

  /** Resolves when the socket has taken the chunks. */
  #send({ chunks, about: connection }: ByteChunks<number>): Promise<SocketFailure | null> {
    const open = this.#open.get(connection);
    const last = chunks.at(-1);
    if (open === undefined || last === undefined) return Promise.resolve({ code: CLOSED });
    return new Promise((resolve) => {
      open.socket.cork();
      for (const chunk of chunks.slice(0, -1)) open.socket.write(chunk);
      open.socket.write(last, (error) => resolve(error ? { code: nameOf(error) } : null));
      open.socket.uncork();
    });
  }

  #close(connection: number): void {
    this.#open.get(connection)?.socket.destroy();
    this.#open.delete(connection);
  }
}

/** Reads a socket ahead of the process, a bounded number of bytes. An error waits for whoever reads or writes next. */
function receiveFrom(socket: Socket): ChunkQueue {
  const received = new ChunkQueue(CHUNKS_BYTES_MAX);
  socket.on("data", (chunk: Buffer) => {
    socket.pause();
    received.write(chunk).then(
      () => void socket.resume(),
      () => undefined,
    );
  });
  socket.on("error", (error) => received.fail(error));
  socket.on("close", () => received.end());
  socket.on("end", () => received.end());
  return received;
}
