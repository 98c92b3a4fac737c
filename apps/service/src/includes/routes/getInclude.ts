import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { readInclude } from "@headwater/stores/includes";
import { z } from "zod";
import { waitForAfter } from "../../consistency/after.ts";
import { pickFields } from "../../paging/listAnswer.ts";
import { afterQuery, listQuery } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import {
  INCLUDE_MEMBERS,
  includeExample,
  includeParams,
  includeRecord,
  includeShape,
  versionOfInclude,
} from "../includeView.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
async function readOneInclude(
  { key, fields }: { readonly key: string; readonly fields: string | undefined },
  { number }: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, INCLUDE_MEMBERS);
  const row = await readInclude(postgres, { account: number, key });
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No include has this key.");
  return { status: 200, body: pick(includeRecord(row)), headers: { ETag: etagOf(versionOfInclude(row)) } };
}

export function getInclude(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/includes/{key}",
    operationId: "getInclude",
    summary: "Returns an include by its key.",
    tags: ["includes"],
    answers: { 200: { description: "The include.", schema: includeShape.partial(), example: includeExample } },
    auth: "basic",
    scope: "includes:read",
    rateClass: "read",
    params: includeParams,
    query,
    handler: async ({ params: { key }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneInclude({ key, fields }, caller.account, ports);
    },
  });
}
