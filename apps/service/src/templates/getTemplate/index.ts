import { defineRoute, type Route } from "@headwater/http";
import type { StatsPorts } from "../../batchMessages/getBatchmessage/handler.ts";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts } from "../../ports.ts";
import { templateExample, templateParams, templateShape } from "../templateView.ts";
import { readOneTemplate } from "./handler.ts";
import { query } from "./schema.ts";

export function getTemplate(ports: AfterPorts & StatsPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/automationtemplates/{key}",
    operationId: "getTemplate",
    summary: "Returns a template by its key.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The template.", schema: templateShape.partial(), example: templateExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    auth: "basic",
    scope: "automationtemplates:read",
    rateClass: "read",
    params: templateParams,
    query,
    handler: async ({ params: { key }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneTemplate({ key, fields, signal }, caller.account, ports);
    },
  });
}
