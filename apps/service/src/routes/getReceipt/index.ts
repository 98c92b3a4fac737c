import { defineRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { atOneMoment } from "../../reading/oneMoment.ts";
import { poll, readReceipt, waitForAfter } from "../../settled/after.ts";
import { readOutcome, toAnswer, unknownReceipt } from "./handler.ts";
import { params, query, receiptAnswer, receiptExample } from "./schema.ts";

/** No scope: whoever sent the work may follow it, and a receipt cannot be guessed. */
export function getReceipt(ports: ServicePorts): Route {
  const { postgres, clock } = ports;
  return defineRoute({
    method: "GET",
    path: "/v2/receipts/{receipt}",
    operationId: "getReceipt",
    summary: "What became of accepted work; `wait` seconds for its end.",
    tags: ["receipts"],
    answers: { 200: { description: "Outcomes so far.", schema: receiptAnswer, example: receiptExample } },
    auth: "basic",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { receipt: token }, query: { after, wait = 0, cursor }, caller, signal }) => {
      const receipt = readReceipt(token, caller, ports);
      if (receipt === undefined) throw unknownReceipt();
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const { number } = caller.account;
      const read = () => atOneMoment(postgres, (session) => readOutcome(receipt, number, cursor, session));
      let outcome = await read();
      const isSettled = async () => {
        if (outcome.state !== "pending") return true;
        outcome = await read();
        return outcome.state !== "pending";
      };
      if (wait > 0) await poll(isSettled, { timeoutMs: wait * 1_000, signal, clock });
      return toAnswer(outcome);
    },
  });
}
