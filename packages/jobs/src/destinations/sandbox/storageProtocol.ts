import type { Duplex } from "node:stream";
import type { Destination } from "../destination.ts";
import type { HostKeys } from "../sftp/hostKeys.ts";
import type { HttpAgents } from "./hostAgents.ts";

export interface StorageFolders {
  /** The path without placeholders; on SFTP folders that it lacks are created. */
  readonly folder: string;
  /** The part of it that must exist on SFTP. */
  readonly fixed: string;
}

/** Connections of a process that calls storages. */
export interface StoragePorts {
  readonly outbound: {
    /** Connects to a server by name or address. */
    connect(to: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<Duplex>;
  };
  readonly agents: HttpAgents;
  readonly hostKeys: HostKeys;
}

/** A storage of one type, whatever its library. */
export interface StorageProtocol {
  destination(folders: StorageFolders): Destination;
  /** Reads the file at the storage's path. Whoever stops before the end closes the connection. */
  read(signal: AbortSignal): AsyncGenerator<Uint8Array>;
}
