import { waitForAfter } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { StatsPorts } from "../../batchMessages/routes/getBatchmessage.ts";
import { readAlertsView } from "../../messages/alerts.ts";
import { readStatsView } from "../../messages/shownStats.ts";
import { readTemplate } from "../templates.ts";
import {
  TEMPLATE_MEMBERS,
  templateExample,
  templateParams,
  templateRecord,
  templateShape,
  unknownTemplate,
  versionOfTemplate,
} from "../templateView.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

interface OneTemplate {
  readonly key: string;
  readonly fields: string | undefined;
  readonly signal: AbortSignal;
}

/** Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
async function readOneTemplate(
  { key, fields, signal }: OneTemplate,
  account: Account,
  { postgres, clock, ...ports }: StatsPorts,
): Promise<Answer> {
  const pick = pickFields(fields, TEMPLATE_MEMBERS);
  const row = await readTemplate(postgres, account.number, key);
  if (row === undefined) throw unknownTemplate();
  const numbers = await readStatsView({ id: row.mdtId, account, fields, signal }, ports);
  const alertsOf = await readAlertsView(postgres, { account: account.number, ids: [row.mdtId], fields }, ports);
  return {
    status: 200,
    body: pick({ ...templateRecord(row, { account, nowMs: clock.nowMs() }), ...alertsOf(row.mdtId), ...numbers }),
    headers: { ETag: etagOf(versionOfTemplate(row)) },
  };
}

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
