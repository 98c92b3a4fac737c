import type { Account } from "@headwater/contracts";
import type { TransportRates } from "@headwater/domain/pace";
import type { DkimKey, Handover } from "@headwater/messaging";
import type { Session } from "@headwater/stores/postgres";
import { readDefaultTransport, readTransport, type StoredTransport } from "@headwater/stores/transports";

/** A transport that is ready to be used. */
export interface OpenTransport {
  readonly id: string;
  readonly type: StoredTransport["type"];
  /** Time of its last change, in milliseconds since 1970. */
  readonly updatedAt: number;
  readonly handover: Handover;
  readonly dkim: readonly DkimKey[];
  readonly rates: TransportRates;
  /** Pattern of the envelope's sender with `{token}`. */
  readonly returnPath?: string;
  /** Domains that it sends from; absent: any. */
  readonly fromDomains?: readonly string[];
}

/** Opens transports as they are stored, and their secrets; undefined when no key opens these. */
export type OpenTransports = (
  transport: StoredTransport,
  account: Account,
) => Omit<OpenTransport, "id" | "type" | "updatedAt"> | undefined;

export interface Handovers {
  /** Returns the transport of a message; undefined when there is none, it is disabled, or no key opens its secrets. */
  of(
    account: Account,
    message: { readonly channel: string; readonly transportId: string | null },
  ): Promise<OpenTransport | undefined>;
  close(): Promise<void>;
}

interface Kept {
  readonly updatedAt: number;
  /** Undefined for one that cannot be opened: keys change at a restart alone. */
  readonly transport: OpenTransport | undefined;
}

/** Keeps transports open from one window to the next, and opens those anew that were changed. */
export function createHandovers(session: Session, open: OpenTransports): Handovers {
  const kept = new Map<string, Kept>();
  const closing = new Set<Promise<void>>();
  // What is under way there may hang for minutes: nobody waits for it before the end.
  const closeSoon = ({ transport }: Kept) => {
    if (transport === undefined) return;
    const closed = transport.handover.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const replace = (key: string, stored: StoredTransport, account: Account) => {
    const { id, type, updatedAt } = stored;
    const before = kept.get(key);
    const opened = open(stored, account);
    const transport = opened && { id, type, updatedAt, ...opened };
    kept.set(key, { updatedAt, transport });
    if (before !== undefined) closeSoon(before);
    return transport;
  };
  return {
    async of(account, { channel, transportId }) {
      const stored =
        transportId === null
          ? await readDefaultTransport(session, account.number, channel)
          : await readTransport(session, account.number, transportId);
      if (stored === undefined || !stored.enabled) return undefined;
      const key = `${account.number}/${stored.id}`;
      const known = kept.get(key);
      return known?.updatedAt === stored.updatedAt ? known.transport : replace(key, stored, account);
    },
    async close() {
      [...kept.values()].forEach(closeSoon);
      kept.clear();
      await Promise.all(closing);
    },
  };
}
