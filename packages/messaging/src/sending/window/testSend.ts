import type { StoredSend } from "../../sends/sendRow.ts";

/** A send of a promotional email that nobody has begun. */
export const testSend: StoredSend = {
  ...{ account: 1, message: "m", contact: 7, n: 1, kind: "b", cid: "c", channel: "email", want: null, variant: null },
  ...{ classification: "promotional", priority: 2, resendsLeft: 0, address: null, dueAt: 0, state: "pending" },
  ...{ reason: null, attemptsBefore: 0, attempts: 0, createdAt: 0, firstAt: null, at: 0, transport: null },
  ...{ code: null, text: null },
};
