import type { ErrorDetail } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { transports } from "./postgres.ts";

export interface NamedTransport {
  readonly account: number;
  readonly transportId: string | null;
  /** Channel of the message or template that names it. */
  readonly channel: string;
}

/** Checks the transport that a message names, and holds it until the transaction ends. */
export async function problemsOfTransport(
  transaction: Transaction,
  { account, transportId, channel }: NamedTransport,
): Promise<ErrorDetail[]> {
  if (transportId === null) return [];
  const path = "/transportID";
  const transport = await transports.lock(transaction, { account, key: transportId });
  if (transport === undefined) return [{ path, code: "unknown_reference", message: "No transport has this id." }];
  if (transport.channel === channel) return [];
  return [{ path, code: "bad_value", message: `The transport carries ${JSON.stringify(transport.channel)}.` }];
}
