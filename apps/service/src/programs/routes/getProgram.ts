import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { readProgram } from "@headwater/stores/programs";
import { z } from "zod";
import { waitForAfter } from "../../consistency/after.ts";
import { pickFields } from "../../paging/listAnswer.ts";
import { afterQuery, listQuery } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import {
  PROGRAM_MEMBERS,
  programExample,
  programParams,
  programRecord,
  programShape,
  unknownProgram,
  versionOfProgram,
} from "../programView.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
async function readOneProgram(
  { id, fields }: { readonly id: string; readonly fields: string | undefined },
  { number }: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, PROGRAM_MEMBERS);
  const row = await readProgram(postgres, number, id);
  if (row === undefined) throw unknownProgram();
  return { status: 200, body: pick(programRecord(row)), headers: { ETag: etagOf(versionOfProgram(row)) } };
}

export function getProgram(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs/{id}",
    operationId: "getProgram",
    summary: "Returns a program by its id.",
    tags: ["programs"],
    answers: {
      200: { description: "The program.", schema: programShape.partial(), example: programExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    params: programParams,
    query,
    handler: async ({ params: { id }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneProgram({ id, fields }, caller.account, ports);
    },
  });
}
