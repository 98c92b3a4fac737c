import { carriesSender } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import { z } from "zod";
import type { StoredTransport } from "../transports/postgres.ts";

const senderRules = z.object({ fromDomains: z.array(z.string()).optional() });

/** Returns what is wrong with senders of a message: its transport does not send from a domain of theirs. */
export function problemOfSenders(
  { type, settings }: Pick<StoredTransport, "type" | "settings">,
  senders: readonly string[],
): ErrorDetail | undefined {
  if (type !== "smtp") return undefined;
  const input: unknown = JSON.parse(settings);
  const { fromDomains } = senderRules.parse(input);
  if (senders.every((from) => carriesSender(fromDomains, from))) return undefined;
  const message = "The transport does not send from this domain.";
  return { path: "/message/headers/fromEmail", code: "not_allowed", message };
}
