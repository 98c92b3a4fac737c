import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { readDeadLetter } from "../deadLetters.ts";
import { deadLetterAnswer, deadLetterExample, deadLetterRecord } from "../deadLetterView.ts";
import { isVisible, unknownDeadLetter } from "../selection.ts";

const params = z.strictObject({ id: storableText(1_024) });
const query = z.strictObject(afterQuery);

/** Throws 404 `RECORD_NOT_FOUND`. */
async function readOneDeadletter(
  recordId: string,
  account: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const deadLetter = await readDeadLetter(postgres, { account: account.number, recordId });
  if (deadLetter === undefined || !isVisible(deadLetter.status)) throw unknownDeadLetter();
  return { status: 200, body: deadLetterRecord(deadLetter) };
}

export function getDeadletter(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/deadletters/{id}",
    operationId: "getDeadletter",
    summary: "Returns a rejected record with its payload, cause, origin and history.",
    tags: ["deadletters"],
    answers: { 200: { description: "The record.", schema: deadLetterAnswer, example: deadLetterExample } },
    auth: "basic",
    scope: "deadletters:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneDeadletter(id, caller.account, ports);
    },
  });
}
