import type { Account } from "@headwater/contracts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import type { SenderPorts } from "../ports.ts";
import type { OpenTransport } from "../transports/handovers.ts";

/** A claimed send with its message and the transport that it goes by. */
export interface RoutedSend {
  readonly send: StoredSend;
  readonly wanted: WantedMessage | undefined;
  /** Undefined where there is none, or it is disabled. */
  readonly transport: OpenTransport | undefined;
}

/** Finds the messages of claimed sends, and their transports, and splits the sends by transport. */
export async function routeWindow(
  account: Account,
  sends: readonly StoredSend[],
  { messages, handovers }: Pick<SenderPorts, "messages" | "handovers">,
): Promise<RoutedSend[][]> {
  const wanted = await messages.load(account.number, sends);
  const transports = new Map<string, OpenTransport | undefined>();
  for (const { message } of wanted.values()) {
    const name = nameOf(message);
    if (!transports.has(name)) transports.set(name, await handovers.of(account, message));
  }
  const routed = sends.map((send) => {
    const own = wanted.get(send);
    return { send, wanted: own, transport: own && transports.get(nameOf(own.message)) };
  });
  return [...Map.groupBy(routed, ({ transport }) => transport?.id).values()];
}

function nameOf({ channel, transportId }: WantedMessage["message"]): string {
  return `${channel} ${transportId ?? ""}`;
}
