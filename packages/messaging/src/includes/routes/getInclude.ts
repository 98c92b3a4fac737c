import { waitForAfter } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { readInclude } from "../includes.ts";
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
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, INCLUDE_MEMBERS);
  const row = await readInclude(postgres, { account: number, key });
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No include has this key.");
  return { status: 200, body: pick(includeRecord(row)), headers: { ETag: etagOf(versionOfInclude(row)) } };
}

export function getInclude(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
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
