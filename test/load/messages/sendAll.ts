import { createLogger, createOutbound, systemClock } from "@headwater/kernel";
import type { OutgoingMail } from "@headwater/messaging/frozen/handover";
import { createHandover } from "@headwater/messaging/handover/createHandover";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";

export interface BareSends {
  readonly port: number;
  readonly mails: number;
  readonly connections: number;
  readonly atOnce: number;
}

/** Makes letters and hands them over by the sender's own client, without a row or an event. @returns how many were accepted. */
export async function sendAll(
  { port, mails, connections, atOnce }: BareSends,
  compose: (contact: number) => Promise<OutgoingMail>,
): Promise<number> {
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  const settings = JSON.stringify({ host: "127.0.0.1", port, tls: "none", connections });
  const handover = createHandover(
    { id: "t", type: "smtp", settings, accountId: "a".repeat(24), account: 1 },
    {
      ...{ outbound, clock: systemClock, logger: createLogger({ name: "bench", level: "warn" }) },
      renders: createRenderer(),
      sealer: { open: () => "" },
    },
  );
  const { signal } = new AbortController();
  let next = 0;
  const worker = async () => {
    while (next < mails) {
      next += 1;
      const { outcome, text } = await handover.deliver(await compose(next), signal);
      if (outcome.kind !== "sent") throw new Error(`a mail was not sent: ${outcome.kind} ${text ?? ""}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await handover.close();
  await outbound.close();
  return mails;
}
