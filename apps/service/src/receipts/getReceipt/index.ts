import { defineRoute, type Route } from "@headwater/http";
import { readReceipt, waitForAfter } from "../../consistency/after.ts";
import { consistencyOf } from "../../consistency/consistencyOf.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { readOutcome, toAnswer, unknownReceipt } from "./handler.ts";
import { params, query, receiptAnswer, receiptExample } from "./schema.ts";

/** No scope: whoever sent the work may follow it, and a receipt cannot be guessed. */
export function getReceipt(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  const { postgres, streamLooks, waits, cursors } = ports;
  return defineRoute({
    method: "GET",
    path: "/v2/receipts/{receipt}",
    operationId: "getReceipt",
    summary: "Returns the outcomes of accepted records, waiting up to `wait` seconds for the last one.",
    tags: ["receipts"],
    answers: { 200: { description: "The outcomes so far.", schema: receiptAnswer, example: receiptExample } },
    auth: "basic",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { receipt: token }, query: { after, wait = 0, cursor }, caller, signal }) => {
      const receipt = readReceipt(token, caller, ports);
      if (receipt === undefined) throw unknownReceipt();
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const { number } = caller.account;
      const read = () =>
        withSnapshot(postgres, (session) => readOutcome(receipt, number, cursor, { session, cursors }));
      let outcome = await read();
      if (outcome.state !== "pending" || wait === 0) return toAnswer(outcome);
      const isPassed = consistencyOf(ports, receipt, "state");
      // Looks that all waits share say when it is worth a look of one's own.
      const isConsistent = async () => {
        if (!(await isPassed()) || (await streamLooks.isParked(number, receipt.requestId))) return false;
        outcome = await read();
        return outcome.state !== "pending";
      };
      const isFinal = await waits.until(isConsistent, { flow: number, timeoutMs: wait * 1_000, signal });
      // Most of the records may have their end: one that is parked alone keeps the receipt pending.
      if (!isFinal && !signal.aborted) outcome = await read();
      return toAnswer(outcome);
    },
  });
}
