import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { templateParams } from "../templateView.ts";
import { dropTemplate } from "./handler.ts";

export function deleteTemplate(ports: Pick<ServicePorts, "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/automationtemplates/{key}",
    operationId: "deleteTemplate",
    summary: "Deletes a template. The numbers of its sends stay.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The template is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    scope: "automationtemplates:write",
    target: "key",
    params: templateParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => dropTemplate(once, { key, ifMatch: header("if-match") }, ports),
  });
}
