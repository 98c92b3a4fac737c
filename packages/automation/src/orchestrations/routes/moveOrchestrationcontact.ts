import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { RoutePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { findContact, readPrimaryKey } from "@headwater/records/contacts/findContact";
import { type ContactRuns, exitRuns, retryRuns } from "../../runs/calledRuns.ts";
import type { Journeys } from "../../runs/journeys.ts";
import { runParams, UNKNOWN_ORCHESTRATION, unknownOrchestration } from "../orchestrationCall.ts";
import { orchestrations } from "../postgres.ts";

export type MovePorts = Pick<RoutePorts, "postgres" | "clock"> & { readonly journeys: Journeys };

interface Move {
  readonly orchestration: string;
  readonly primaryKey: string;
  readonly move: (
    transaction: Transaction,
    name: ContactRuns,
    ports: { readonly journeys: Journeys; readonly nowMs: number },
  ) => Promise<number>;
  /** Message of the 404 where the contact has no such run. */
  readonly none: string;
}

/** Throws 404 `ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND`, `CONTACTS_CONTACT_NOT_FOUND`, `RECORD_NOT_FOUND`. */
function moveContact(
  call: OnceCall,
  { orchestration, primaryKey, move, none }: Move,
  ports: MovePorts,
): Promise<Answer> {
  const { account } = call.caller;
  const { postgres, journeys, clock } = ports;
  return retryOnConflict(() =>
    runOnce(postgres, call, async (transaction) => {
      const row = await orchestrations.read(transaction, { account: account.number, key: orchestration });
      if (row === undefined) throw unknownOrchestration();
      const contact = await findContact(transaction, account, readPrimaryKey(primaryKey, account));
      if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
      const name = { account: account.number, orchestration, contact: contact.number };
      const moved = await move(transaction, name, { journeys, nowMs: clock.nowMs() });
      if (moved === 0) throw refusal("RECORD_NOT_FOUND", none);
      const body = { success: true };
      return { answer: { status: 200, body }, kept: body };
    }),
  );
}

const answers = {
  200: { description: "Done.", schema: successShape, example: successExample },
  404: {
    description: `${UNKNOWN_ORCHESTRATION} CONTACTS_CONTACT_NOT_FOUND: no contact has this key. RECORD_NOT_FOUND: it has no such run.`,
  },
};
const shared = { method: "PUT", tags: ["orchestrations"], answers, params: runParams } as const;

export function exitOrchestrationcontact(ports: MovePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/orchestrations/{orchestrationID}/contacts/{primary_key}/exit",
    operationId: "exitOrchestrationcontact",
    summary:
      "Takes a contact out of an orchestration: its runs on their way end as `exited`, unsent messages are canceled.",
    scope: "orchestrations:write",
    dryRun: "rolledBack",
    target: "orchestrationID",
    handler: ({ params: { orchestrationID: orchestration, primary_key: primaryKey }, once }) => {
      const none = "The contact has no run on its way.";
      return moveContact(once, { orchestration, primaryKey, move: exitRuns, none }, ports);
    },
  });
}

export function retryOrchestrationcontact(ports: MovePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/orchestrations/{orchestrationID}/contacts/{primary_key}/retry",
    operationId: "retryOrchestrationcontact",
    summary: "Tries the node of a contact's failed run again.",
    description: "Of each key it is the latest failed run, unless another one is on its way.",
    scope: "orchestrations:write",
    dryRun: { class: "rolledBack", starts: () => 1 },
    target: "orchestrationID",
    handler: ({ params: { orchestrationID: orchestration, primary_key: primaryKey }, once }) => {
      const none = "The contact has no failed run that could go on.";
      return moveContact(once, { orchestration, primaryKey, move: retryRuns, none }, ports);
    },
  });
}
