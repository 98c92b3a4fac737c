import { type Account, fromRow } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { contactAnswer } from "../../contacts/contactAnswer.ts";
import type { RoutePorts } from "../../ports.ts";
import { findContact, readPrimaryKey } from "../../views/findContact.ts";

/** The living contact that the key finds, with its lists. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function readContact(primaryKey: string, account: Account, ports: RoutePorts): Promise<Answer> {
  const row = await findContact(ports.postgres, account, readPrimaryKey(primaryKey, account));
  if (row === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "There is no contact with this key.");
  const rules = await ports.attributeRules.of(account);
  return contactAnswer(fromRow(row), { account, session: ports.postgres, rules, status: 200 });
}
