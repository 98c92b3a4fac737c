import type { Route } from "@headwater/http";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { TransportPorts } from "../transportPorts.ts";
import { transportCreated, writtenExample } from "../transportView.ts";
import { makeTransport } from "./handler.ts";
import { body, newTransport, requestExample } from "./schema.ts";

export function createTransport(ports: TransportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/transports",
    operationId: "createTransport",
    summary: "Creates a transport: a way out for the messages of a channel.",
    description:
      "A taken name is a 422 KEY_MUST_BE_UNIQUE. A default transport takes the place of the channel's former default.",
    tags: ["transports"],
    answers: {
      201: { description: "The transport was created.", schema: transportCreated, example: writtenExample },
    },
    scope: "transports:write",
    target: "id",
    body,
    documentedBody: newTransport,
    warnsBy: newTransport,
    requestExample,
    handler: ({ body: given, once }) => makeTransport(once, given, ports),
  });
}
