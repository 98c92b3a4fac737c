import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { batchMessagesOfTransport } from "../../batchMessages/batchMessages.ts";
import type { RoutePorts } from "../../ports.ts";
import { templatesOfTransport } from "../../templates/templates.ts";
import type { TransportPorts } from "../transportPorts.ts";
import * as transports from "../transports.ts";
import { transportParams, unknownTransport, versionOfTransport } from "../transportView.ts";

/** More are not named; the transport is in use all the same. */
const USERS_NAMED_MAX = 100;

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 `TRANSPORT_IN_USE` with its users. */
function deleteTransportOnce(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  return runOnce(postgres, call, async (transaction) => {
    const known = await transports.lockTransport(transaction, call.caller.account.number, id);
    if (known === undefined) throw unknownTransport();
    expectVersion(ifMatch, versionOfTransport(known));
    const users = await usersOf(transaction, known);
    if (users.length > 0) throw inUse(users);
    await transports.deleteTransport(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

async function usersOf(transaction: Transaction, transport: transports.StoredTransport): Promise<string[]> {
  const templates = await templatesOfTransport(transaction, transport, USERS_NAMED_MAX);
  const messages = await batchMessagesOfTransport(transaction, transport, USERS_NAMED_MAX - templates.length);
  return [
    ...templates.map((key) => `The automation template ${key} uses it.`),
    ...messages.map((id) => `The batch message ${id} uses it.`),
  ];
}

function inUse(users: readonly string[]) {
  const details = users.map((message) => ({ path: "", code: "not_allowed", message }));
  return refusal("TRANSPORT_IN_USE", "Messages or templates use this transport.", { details });
}

export function deleteTransport(ports: Pick<TransportPorts, "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/transports/{id}",
    operationId: "deleteTransport",
    summary: "Deletes an unused transport, with its secrets.",
    description: "A transport in use is a 422 TRANSPORT_IN_USE, and `details` names the messages and templates.",
    tags: ["transports"],
    answers: {
      200: { description: "The transport is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
      422: { description: "TRANSPORT_IN_USE or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "transports:write",
    target: "id",
    params: transportParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) =>
      deleteTransportOnce(once, { id, ifMatch: header("if-match") }, ports),
  });
}
