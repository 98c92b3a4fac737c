import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { answerWithLists, viewWithLists } from "../contactAnswer.ts";
import { findContactView, readPrimaryKey } from "../findContact.ts";

/** The live contact that the key finds, with its lists. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function readContact(
  primaryKey: string,
  account: Account,
  ports: Pick<RoutePorts, "attributeRules" | "postgres">,
): Promise<Answer> {
  const { row, rules } = await findShown(primaryKey, account, ports);
  return answerWithLists(row, { account, rules });
}

/** The contact as answers show it, with its number, for messages. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function readShown(
  primaryKey: string,
  account: Account,
  ports: Pick<RoutePorts, "attributeRules" | "postgres">,
): Promise<{ readonly number: number; readonly shown: object }> {
  const { row, rules } = await findShown(primaryKey, account, ports);
  return { number: row.number, shown: viewWithLists(row, { account, rules }) };
}

async function findShown(primaryKey: string, account: Account, ports: Pick<RoutePorts, "attributeRules" | "postgres">) {
  const [row, rules] = await Promise.all([
    findContactView(ports.postgres, account, readPrimaryKey(primaryKey, account)),
    ports.attributeRules.of(account),
  ]);
  if (row === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  return { row, rules };
}
