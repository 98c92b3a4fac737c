import { ZERO_VERSION } from "@headwater/contracts";
import { contactIdOf } from "@headwater/kernel";
import { emptyDocument } from "@headwater/records/contacts/contactDocument";
import { insertContacts } from "@headwater/records/contacts/contacts";
import { insertIdentifiers } from "@headwater/records/contacts/identifiers";
import { takeContactNumbers } from "@headwater/records/contacts/sequences";
import { emailOf } from "../records/items.ts";
import type { World } from "./world.ts";

const BATCH = 2_000;

/** Makes contacts straight in Postgres, found by the email address of `emailOf`. */
export async function insertKnownContacts({ postgres, account }: World, count: number): Promise<void> {
  const createdAt = Date.now();
  for (let from = 0; from < count; from += BATCH) {
    await postgres.transaction(async (transaction) => {
      const numbers = await takeContactNumbers(transaction, Math.min(BATCH, count - from));
      const created = numbers.map((number, index) => ({ number, contact: from + index }));
      const rows = created.map(({ number, contact }) => {
        const cid = contactIdOf(account.id, `known:${contact}`);
        const times = { createdAt, modifiedAt: createdAt };
        return {
          account: account.number,
          number,
          cid,
          ...times,
          version: ZERO_VERSION,
          mergedInto: null,
          doc: emptyDocument,
        };
      });
      const identifiers = created.map(({ number, contact }) => {
        return { account: account.number, name: "email", value: emailOf(contact), contact: number };
      });
      await Promise.all([insertContacts(transaction, rows, 1), insertIdentifiers(transaction, identifiers)]);
    });
  }
  await postgres.execute({ text: "ANALYZE contacts, contact_identifiers" });
}
