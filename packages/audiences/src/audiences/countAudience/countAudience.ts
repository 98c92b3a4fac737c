import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { defineRoute, type Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { countAudienceOf } from "./handler.ts";
import { audienceAnswer, audienceExample, body, criteriaExample, documentedBody, query } from "./schema.ts";

export function countAudience(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness" | "aliasRevisions" | "postgres" | "seenNames">,
): Route {
  return defineRoute({
    method: "POST",
    path: "/v2/audiencecount",
    operationId: "countAudience",
    summary: "Counts the contacts that match a criteria object.",
    tags: ["audiences"],
    answers: {
      200: { description: "The count.", schema: audienceAnswer, example: audienceExample },
      404: {
        description:
          "RECORD_NOT_FOUND: no saved audience has the `id` or `key`. CONTACTS_CONTACT_NOT_FOUND: no contact has the key in `contact`.",
      },
    },
    requestExample: criteriaExample,
    auth: "basic",
    scope: "audiencecount:read",
    rateClass: "audienceCount",
    query,
    body,
    documentedBody,
    handler: async ({ query: { after }, body: given, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return countAudienceOf(given, caller, ports, signal);
    },
  });
}
