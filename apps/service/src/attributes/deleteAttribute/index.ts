import type { Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { keyParams } from "../definitionShape.ts";
import { deleteDefinition } from "../deleteDefinition.ts";

const deleteAnswer = z.strictObject({ success: z.literal(true), jobId: z.string() });
const deleteExample = { success: true, jobId: "65f0c0ffee65f0c0ffee0001" };

export function deleteAttribute(ports: RoutePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/accountcontactattributes/{key}",
    operationId: "deleteAttribute",
    summary: "Deletes an attribute: its definition, and the values that contacts have.",
    description:
      "With this answer the values are gone for every read. The job removes what is stored of them. A later write of the same key starts anew. Audiences as of a moment before still count by them.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "There is no such definition any more.", schema: deleteAnswer, example: deleteExample },
      404: { description: "RECORD_NOT_FOUND: there is no attribute with this key." },
    },
    scope: "accountcontactattributes:write",
    params: keyParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => deleteDefinition(once, { key, ifMatch: header("if-match") }, ports),
  });
}
