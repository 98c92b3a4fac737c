import { waitForState } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { answerWithLists, viewWithLists } from "../contactAnswer.ts";
import { contactAnswerShape, contactExample, contactParams } from "../contactShape.ts";
import { findContactView, readPrimaryKey } from "../findContact.ts";

const query = z.strictObject(afterQuery);

/** The live contact that the key finds, with its lists. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
async function readContact(
  primaryKey: string,
  account: Account,
  ports: Pick<RoutePorts, "attributeRules" | "postgres">,
): Promise<Answer> {
  const { row, rules } = await findView(primaryKey, account, ports);
  return answerWithLists(row, { account, rules });
}

/** The contact as answers show it, with its number, for messages. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function readView(
  primaryKey: string,
  account: Account,
  ports: Pick<RoutePorts, "attributeRules" | "postgres">,
): Promise<{ readonly number: number; readonly shown: object }> {
  const { row, rules } = await findView(primaryKey, account, ports);
  return { number: row.number, shown: viewWithLists(row, { account, rules }) };
}

async function findView(primaryKey: string, account: Account, ports: Pick<RoutePorts, "attributeRules" | "postgres">) {
  const [row, rules] = await Promise.all([
    findContactView(ports.postgres, account, readPrimaryKey(primaryKey, account)),
    ports.attributeRules.of(account),
  ]);
  if (row === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  return { row, rules };
}

export function getContact(ports: AfterPorts & Pick<RoutePorts, "attributeRules" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}",
    operationId: "getContact",
    summary: "Returns a contact by its cID, a primary identifier value or `name:value`.",
    tags: ["contacts"],
    answers: { 200: { description: "The contact.", schema: contactAnswerShape, example: contactExample } },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    params: contactParams,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      const { params, caller } = call;
      return readContact(params.primary_key, caller.account, ports);
    },
  });
}
