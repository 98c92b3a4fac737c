import type { BegunSend } from "@headwater/messaging/sends/insertSends";

/** Returns a promotional send of a batch message that is due since 1970. */
export function wantedSend(account: number, contact: number, more: Partial<BegunSend> = {}): BegunSend {
  return {
    ...{ account, message: "m1", contact, n: 1, kind: "b", cid: `c${contact}`, channel: "email" },
    ...{ classification: "promotional", priority: 2, variant: null, want: null, address: null, resendsLeft: 0 },
    ...{ dueAt: 0, state: "pending" },
    ...more,
  } as const satisfies object as BegunSend;
}
