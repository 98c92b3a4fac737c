import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { keyParams } from "../definitionShape.ts";
import { deleteDefinition } from "../deleteDefinition.ts";

const deleteAnswer = z.strictObject({ success: z.literal(true), jobId: z.string() });
const deleteExample = { success: true, jobId: "65f0c0ffee65f0c0ffee0001" };

export function deleteAttribute(ports: WritePorts & Pick<RoutePorts, "attributeRules" | "queue">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/accountcontactattributes/{key}",
    operationId: "deleteAttribute",
    summary: "Deletes an attribute: its definition and the values of all contacts.",
    description:
      "When the response arrives, no read returns the values any more. The job removes the stored data. A later write of the same key starts over. Audiences as of an earlier moment still use the values.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "The definition is deleted.", schema: deleteAnswer, example: deleteExample },
      404: { description: "RECORD_NOT_FOUND: no attribute has this key." },
    },
    scope: "accountcontactattributes:write",
    target: "key",
    params: keyParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => deleteDefinition(once, { key, ifMatch: header("if-match") }, ports),
  });
}
