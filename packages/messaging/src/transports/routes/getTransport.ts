import { waitForAfter } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { readTransport } from "../transports.ts";
import {
  TRANSPORT_MEMBERS,
  transportExample,
  transportParams,
  transportRecord,
  transportShape,
  unknownTransport,
  versionOfTransport,
} from "../transportView.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
async function readOneTransport(
  { id, fields }: { readonly id: string; readonly fields: string | undefined },
  { number }: Account,
  { postgres, sealer }: Pick<RoutePorts, "postgres" | "sealer">,
): Promise<Answer> {
  const pick = pickFields(fields, TRANSPORT_MEMBERS);
  const row = await readTransport(postgres, number, id);
  if (row === undefined) throw unknownTransport();
  return { status: 200, body: pick(transportRecord(row, sealer)), headers: { ETag: etagOf(versionOfTransport(row)) } };
}

export function getTransport(ports: AfterPorts & Pick<RoutePorts, "postgres" | "sealer">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/transports/{id}",
    operationId: "getTransport",
    summary: "Returns a transport by its id.",
    tags: ["transports"],
    answers: {
      200: { description: "The transport.", schema: transportShape.partial(), example: transportExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
    },
    auth: "basic",
    scope: "transports:read",
    rateClass: "read",
    params: transportParams,
    query,
    handler: async ({ params: { id }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneTransport({ id, fields }, caller.account, ports);
    },
  });
}
