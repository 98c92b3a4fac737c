import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { defineRoute, type Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { listSends } from "../../sends/listSends.ts";
import { sendsAnswer, sendsExample, sendsQuery } from "../../sends/sendView.ts";
import { readTemplate } from "../templates.ts";
import { templateParams, unknownTemplate } from "../templateView.ts";

export function listTemplateSends(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/automationtemplates/{key}/sends",
    operationId: "listTemplatesends",
    summary: "Lists who got a template's messages, who did not, and why. Tests are left out.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "A page of sends.", schema: sendsAnswer, example: sendsExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key." },
    },
    auth: "basic",
    scope: "automationtemplates:read",
    rateClass: "read",
    params: templateParams,
    query: sendsQuery,
    handler: async ({ params: { key }, query, caller, signal }) => {
      await waitForAfter({ token: query.after, caller, store: "state", signal }, ports);
      const { account } = caller;
      const template = await readTemplate(ports.postgres, account.number, key);
      if (template === undefined) throw unknownTemplate();
      const path = `/v2/automationtemplates/${encodeURIComponent(key)}/sends`;
      return listSends(query, { message: template.mdtId, path, account, direction: "desc" }, ports);
    },
  });
}
