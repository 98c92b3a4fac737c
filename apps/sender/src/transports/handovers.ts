import type { Account } from "@headwater/contracts";
import type { TransportRates } from "@headwater/domain/pace";
import { HeadwaterError } from "@headwater/kernel";
import type { DkimKey, Handover } from "@headwater/messaging";
import type { Session } from "@headwater/stores/postgres";
import { readDefaultTransport, readTransport, type StoredTransport } from "@headwater/stores/transports";

/** A transport that is ready to be used. */
export interface OpenTransport {
  readonly id: string;
  readonly type: StoredTransport["type"];
  readonly handover: Handover;
  readonly dkim: readonly DkimKey[];
  readonly rates: TransportRates;
  /** Pattern of the envelope's sender with `{token}`. */
  readonly returnPath?: string;
}

/** Opens transports as they are stored; secrets are opened by it. */
export type OpenTransports = (transport: StoredTransport, account: Account) => Omit<OpenTransport, "id" | "type">;

export interface Handovers {
  /** Returns the transport of a message; undefined when there is none, it is disabled, or no key opens its secrets. */
  of(
    account: Account,
    message: { readonly channel: string; readonly transportId: string | null },
  ): Promise<OpenTransport | undefined>;
  close(): Promise<void>;
}

interface Kept extends OpenTransport {
  readonly updatedAt: number;
}

/** Keeps transports open from one window to the next, and opens those anew that were changed. */
export function createHandovers(session: Session, open: OpenTransports): Handovers {
  const kept = new Map<string, Kept>();
  const closing = new Set<Promise<void>>();
  // What is under way there may hang for minutes: nobody waits for it before the end.
  const closeSoon = ({ handover }: Kept) => {
    const closed = handover.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const replace = (key: string, stored: StoredTransport, account: Account) => {
    const before = kept.get(key);
    const opened = { id: stored.id, type: stored.type, updatedAt: stored.updatedAt, ...open(stored, account) };
    kept.set(key, opened);
    if (before !== undefined) closeSoon(before);
    return opened;
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
      if (known?.updatedAt === stored.updatedAt) return known;
      try {
        return replace(key, stored, account);
      } catch (error) {
        // The sends of other transports go on.
        if (error instanceof HeadwaterError && error.code === "CONFIG_INVALID") return undefined;
        throw error;
      }
    },
    async close() {
      [...kept.values()].forEach(closeSoon);
      kept.clear();
      await Promise.all(closing);
    },
  };
}
