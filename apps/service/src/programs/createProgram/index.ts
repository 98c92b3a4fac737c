import type { Route } from "@headwater/http";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { programWritten, writtenExample } from "../programView.ts";
import { makeProgram } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function createProgram(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/programs",
    operationId: "createProgram",
    summary: "Creates a program: messages and orchestrations whose numbers are reported together.",
    description: "At least one id, key or tag is required. Messages need not exist yet.",
    tags: ["programs"],
    answers: { 201: { description: "The program was created.", schema: programWritten, example: writtenExample } },
    scope: "programs:write",
    target: "id",
    body,
    requestExample,
    handler: ({ body: program, once }) => makeProgram(once, program, ports),
  });
}
