import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { listSends } from "../../sends/listSends.ts";
import { sendsAnswer, sendsQuery } from "../../sends/sendView.ts";
import { readTemplateChildren } from "../../templates/templateChildren.ts";
import { readBatchMessage } from "../batchMessages.ts";
import { parseChildId } from "../childMessage.ts";
import { messageParams, unknownMessage } from "../messageView.ts";

const query = sendsQuery.extend({ sort_by: z.enum(["contact"]).optional() });
type MessageSendsQuery = z.output<typeof query>;

const sendsExample = {
  data: [
    {
      ...{ cID: "65f0c0ffee65f0c0ffee0001", address: "ada@example.com", state: "sent", attempts: 1 },
      mcID: "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:b:65f0c0ffee65f0c0ffee0001:1",
      ...{ at: "2026-01-09T22:47:12.000Z", code: 250, text: "2.0.0 OK" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Sends of a message by contact. Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
async function listSendsOf(
  { id, query }: { readonly id: string; readonly query: MessageSendsQuery },
  account: Account,
  ports: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  if (!(await isKnown({ account: account.number, id }, ports.postgres))) throw unknownMessage();
  return listSends(query, { message: id, path: `/v2/batchmessages/${id}/sends`, account, direction: "asc" }, ports);
}

async function isKnown(
  { account, id }: { readonly account: number; readonly id: string },
  postgres: RoutePorts["postgres"],
): Promise<boolean> {
  if (parseChildId(id) !== undefined) return (await readTemplateChildren(postgres, account, [id])).length > 0;
  return (await readBatchMessage(postgres, account, id)) !== undefined;
}

export function listBatchmessagesends(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}/sends",
    operationId: "listBatchmessagesends",
    summary: "Lists who got a batch message, who did not, and why.",
    description:
      "A contact has a row once its turn has come; those that are still to come are counted as `pending` in the message's `delivery`.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "A page of sends, by contact.", schema: sendsAnswer, example: sendsExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
    },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    params: messageParams,
    query,
    handler: async ({ params: { id }, query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listSendsOf({ id, query: input }, caller.account, ports);
    },
  });
}
