import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readReached } from "../../sends/reachedContacts.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { Recipients } from "./facts.ts";

/** Numbers under which contacts got messages of which each gets one. */
export interface Reached {
  /** True if the contact got the message under another number: two of them were merged. */
  isByAnother(send: StoredSend, person: number): boolean;
  /** Remembers a send that goes out now. */
  note(send: StoredSend, person: number): void;
}

/** Finds under which numbers the contacts of a window got its batch messages. The contacts are locked. */
export async function findReached(
  transaction: Transaction,
  account: Account,
  { sends, recipients }: { readonly sends: readonly StoredSend[]; readonly recipients: Recipients },
): Promise<Reached> {
  const asked = sends.flatMap((send) => {
    const { kind, message } = send;
    const row = recipients.get(send)?.row;
    return kind === "b" && row != null ? [{ message, person: row.number }] : [];
  });
  const numbers = new Map<string, Set<number>>();
  const add = (message: string, person: number, contact: number) => {
    const name = `${message} ${person}`;
    numbers.set(name, (numbers.get(name) ?? new Set()).add(contact));
  };
  for (const { message, person, contact } of await readReached(transaction, account.number, asked)) {
    add(message, person, contact);
  }
  return {
    isByAnother({ kind, message, contact }, person) {
      const known = kind === "b" ? numbers.get(`${message} ${person}`) : undefined;
      return known !== undefined && !known.has(contact);
    },
    note: ({ message, contact }, person) => add(message, person, contact),
  };
}
