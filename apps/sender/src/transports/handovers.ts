import type { Account } from "@headwater/contracts";
import type { TransportRates } from "@headwater/domain/pace";
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
  /** Returns the transport of a message; undefined when there is none or it is disabled. */
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
  const replace = async (key: string, stored: StoredTransport, account: Account) => {
    const before = kept.get(key);
    const opened = { id: stored.id, type: stored.type, updatedAt: stored.updatedAt, ...open(stored, account) };
    kept.set(key, opened);
    await before?.handover.close();
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
      return known?.updatedAt === stored.updatedAt ? known : replace(key, stored, account);
    },
    async close() {
      await Promise.all([...kept.values()].map(({ handover }) => handover.close()));
      kept.clear();
    },
  };
}
