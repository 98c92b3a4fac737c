import { hash } from "node:crypto";
import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readLostIntents } from "../../sends/lostIntents.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { PreparedSend } from "./prepareWindow.ts";

/** Bytes of a digest, so that no two addresses of an occasion share one. */
const PRINT_CHARACTERS = 24;

/** Sends that a recovery of Postgres found in Kafka alone. */
export interface LostIntents {
  /** Returns true if the address may have got a mail of the same occasion by another send, which is lost. */
  isHandedOver(send: StoredSend, address: string): boolean;
}

/**
 * Returns a digest of a send's occasion and address: of its batch message, or of the activity or tick that a template is sent for. Undefined
 * for sends that somebody called for and for tests: a repeated call is another occasion.
 */
export function printOf({ kind, message, want, channel }: StoredSend, address: string): string | undefined {
  const occasion = kind === "b" ? message : want;
  if (occasion === null || (kind !== "a" && kind !== "b")) return undefined;
  return hash("sha256", JSON.stringify([occasion, channel, address.toLowerCase()]), "hex").slice(0, PRINT_CHARACTERS);
}

/** Finds which sends of a window may have been handed over by intents that are lost. */
export async function findLostIntents(
  transaction: Transaction,
  { number }: Account,
  prepared: readonly PreparedSend[],
): Promise<LostIntents> {
  const prints = prepared.flatMap(({ send, outcome }) =>
    outcome.kind === "composed" ? (printOf(send, outcome.mail.address) ?? []) : [],
  );
  const lost = await readLostIntents(transaction, number, prints);
  return {
    isHandedOver(send, address) {
      const other = lost.get(printOf(send, address) ?? "");
      const isItself = other?.message === send.message && other.contact === send.contact && other.n === send.n;
      return other !== undefined && !isItself;
    },
  };
}
