import { expandPath, fixedFolder, type PathFacts, type Storage } from "@headwater/contracts";
import type { Outbound } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Destination } from "./destination.ts";
import type { StorageSandbox } from "./sandbox/storageSandbox.ts";
import { createHostKeys, type HostKeys } from "./sftp/hostKeys.ts";
import { type DestinationTimes, destinationTimes, timedDestination } from "./timedDestination.ts";

/** Connections to what an account named. */
export interface OutsidePorts {
  readonly account: number;
  readonly outbound: Outbound;
  readonly hostKeys: HostKeys;
  readonly storages: StorageSandbox;
}

/** Returns the connections of an account. Host keys that it has seen are in Postgres. */
export function outsidePortsOf(
  account: number,
  { postgres, outbound, storages }: Pick<OutsidePorts, "outbound" | "storages"> & { readonly postgres: Postgres },
): OutsidePorts {
  return { account, outbound: outbound.ofAccount(account), hostKeys: createHostKeys(postgres, account), storages };
}

export interface DestinationPorts extends OutsidePorts {
  /** Fills in the placeholders of the path. Absent: only to check the connection. */
  readonly facts?: PathFacts;
  readonly times?: Partial<DestinationTimes>;
}

/** Creates the destination that a storage describes. Nothing is connected yet. */
export function createDestination(
  storage: Storage,
  { facts, times, storages, ...connections }: DestinationPorts,
): Destination {
  const path = (storage.type === "s3" ? storage.aws_path : storage.path) ?? "";
  const fixed = fixedFolder(path);
  const folder = facts === undefined ? fixed : expandPath(path, facts);
  const destination = storages.destination({ ...connections, storage }, { folder, fixed });
  return timedDestination(destination, { ...destinationTimes, ...times });
}
