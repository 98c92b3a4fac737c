import { expandPath, fixedFolder, type PathFacts, type Storage } from "@headwater/contracts";
import type { Outbound } from "@headwater/kernel";
import type { Postgres } from "../postgres/connection/postgres.ts";
import { createAzureDestination } from "./azure/azureDestination.ts";
import type { Destination } from "./destination.ts";
import { createS3Destination } from "./s3/s3Destination.ts";
import { createHostKeys, type HostKeys } from "./sftp/hostKeys.ts";
import type { SftpSandbox } from "./sftp/sftpSandbox.ts";
import { type DestinationTimes, destinationTimes, timedDestination } from "./timedDestination.ts";

/** Connections to what an account named. */
export interface OutsidePorts {
  readonly account: number;
  readonly outbound: Outbound;
  readonly hostKeys: HostKeys;
  readonly sftp: SftpSandbox;
}

/** Returns the connections of an account. Host keys that it has seen are in Postgres. */
export function outsidePortsOf(
  account: number,
  { postgres, outbound, sftp }: Pick<OutsidePorts, "outbound" | "sftp"> & { readonly postgres: Postgres },
): OutsidePorts {
  return { account, outbound: outbound.ofAccount(account), hostKeys: createHostKeys(postgres, account), sftp };
}

export interface DestinationPorts extends OutsidePorts {
  /** Fills in the placeholders of the path. Absent: only to check the connection. */
  readonly facts?: PathFacts;
  readonly times?: Partial<DestinationTimes>;
}

/** Creates the destination that a storage describes. Nothing is connected yet. */
export function createDestination(storage: Storage, { times, ...ports }: DestinationPorts): Destination {
  return timedDestination(openDestination(storage, ports), { ...destinationTimes, ...times });
}

function openDestination(storage: Storage, { facts, ...ports }: Omit<DestinationPorts, "times">): Destination {
  const folderOf = (path = "") => (facts === undefined ? fixedFolder(path) : expandPath(path, facts));
  switch (storage.type) {
    case "s3":
      return createS3Destination(storage, { ...ports, folder: folderOf(storage.aws_path) });
    case "azureblob":
      return createAzureDestination(storage, { ...ports, folder: folderOf(storage.path) });
    case "sftp": {
      const { sftp, ...connections } = ports;
      const folders = { folder: folderOf(storage.path), fixed: fixedFolder(storage.path) };
      return sftp.destination({ ...connections, storage }, folders);
    }
  }
}
