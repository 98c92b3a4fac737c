import { waitForState } from "@headwater/api/consistency/after";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { supplementRecordView, toReadRecord } from "../../views/supplementRecordView.ts";
import {
  pickRecordFields,
  RECORD_UNKNOWN,
  recordAnswer,
  recordExample,
  recordParams,
  unknownRecord,
} from "../recordShape.ts";
import { readSupplementRecord } from "../supplementReads.ts";
import { unknownTable } from "../tableShape.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

interface Wanted {
  readonly key: string;
  readonly id: string;
  readonly fields: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`. */
async function readOneRecord(
  { key, id, fields }: Wanted,
  { number: account }: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const row = await readSupplementRecord(postgres, { account, key, id });
  if (row === "no table") throw unknownTable();
  if (row === "no record") throw unknownRecord();
  const headers = { ETag: etagOf(row.version) };
  return { status: 200, body: pickRecordFields(fields)(supplementRecordView(toReadRecord(row, row))), headers };
}

export function getSupplementrecord(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements/{key}/records/{id}",
    operationId: "getSupplementrecord",
    summary: "Returns a record of a table.",
    description: "A record of a contact object carries the `cID` of its current contact.",
    tags: ["supplements"],
    answers: {
      200: { description: "The record.", schema: recordAnswer.partial(), example: recordExample },
      404: RECORD_UNKNOWN,
    },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    params: recordParams,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      const { params, query, caller } = call;
      return readOneRecord({ ...params, fields: query.fields }, caller.account, ports);
    },
  });
}
