import type { Account } from "@headwater/contracts";
import type { MailRenderer, SenderPorts } from "../ports.ts";
import type { ProvenMessages } from "../provenMessages.ts";
import { intendWindow } from "./intendWindow.ts";
import type { MessageMemory } from "./messageMemory.ts";
import { type PreparedSend, prepareWindow } from "./prepareWindow.ts";
import type { RoutedSend } from "./routeWindow.ts";

export interface TriedWindow {
  readonly routed: readonly RoutedSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly proven: ProvenMessages;
  readonly memory: MessageMemory;
  readonly trials: MailRenderer;
}

/**
 * Renders one send of each message that has not rendered well before. Nothing is handed over: whoever may get a message that is proven now
 * is due again at once, and all others have their outcome.
 */
export async function tryWindow(
  account: Account,
  { routed, claimedAtMs, proven, memory, trials }: TriedWindow,
  ports: SenderPorts,
): Promise<void> {
  const nowMs = ports.clock.nowMs();
  const hold = memory.open(account.number);
  const prepared = await prepareWindow(
    account,
    { routed, claimedAtMs, hold, isTrial: true },
    { ...ports, renders: trials },
  ).finally(() => hold.release());
  proven.note(prepared);
  const due = { kind: "hold", reason: "render", until: nowMs } as const;
  const stopped = prepared.map((one): PreparedSend => {
    return one.outcome.kind === "composed" ? { ...one, outcome: due } : one;
  });
  await intendWindow(account, { prepared: stopped }, ports);
}
