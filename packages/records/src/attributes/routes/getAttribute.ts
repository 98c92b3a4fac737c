import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { readAttribute } from "../attributeDefinitions.ts";
import {
  definitionExample,
  definitionRecord,
  definitionShape,
  keyParams,
  versionOfDefinition,
} from "../definitionShape.ts";
import { unknown } from "../saveDefinition.ts";

export function getAttribute(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountcontactattributes/{key}",
    operationId: "getAttribute",
    summary: "Returns a definition.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "The definition.", schema: definitionShape, example: definitionExample },
      404: { description: "RECORD_NOT_FOUND: no attribute has this key." },
    },
    auth: "basic",
    scope: "accountcontactattributes:read",
    rateClass: "read",
    params: keyParams,
    query: z.strictObject(afterQuery),
    handler: async ({ params: { key }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const definition = await readAttribute(ports.postgres, { account: caller.account.number, key });
      if (definition === undefined) throw unknown();
      const headers = { ETag: etagOf(versionOfDefinition(definition)) };
      return { status: 200, body: definitionRecord(definition), headers };
    },
  });
}
