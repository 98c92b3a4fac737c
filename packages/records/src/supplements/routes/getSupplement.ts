import { waitForAfter } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import {
  expectTable,
  TABLE_MEMBERS,
  TABLE_UNKNOWN,
  tableAnswer,
  tableExample,
  tableParams,
  tableRecord,
  versionOfTable,
} from "../tableShape.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

export function getSupplement(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements/{key}",
    operationId: "getSupplement",
    summary: "Returns a supplement table.",
    description: "`lastDataUpdate` has a precision of one second.",
    tags: ["supplements"],
    answers: {
      200: { description: "The table.", schema: tableAnswer.partial(), example: tableExample },
      404: TABLE_UNKNOWN,
    },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    params: tableParams,
    query,
    handler: async ({ params: { key }, query: { after, fields }, caller, signal }) => {
      const pick = pickFields(fields, TABLE_MEMBERS);
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const table = await expectTable(ports.postgres, caller.account.number, key);
      return { status: 200, body: pick(tableRecord(table)), headers: { ETag: etagOf(versionOfTable(table)) } };
    },
  });
}
