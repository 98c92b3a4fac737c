import { waitForAfter } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { readAlertsView } from "../../messages/alerts.ts";
import { noStats } from "../../messages/messageNumbers.ts";
import { readStatsView } from "../../messages/shownStats.ts";
import type { RoutePorts } from "../../ports.ts";
import { countSendStates } from "../../sends/sendReads.ts";
import { readTemplateChildren } from "../../templates/templateChildren.ts";
import { readBatchMessage } from "../batchMessages.ts";
import { parseChildId } from "../childMessage.ts";
import { childDelivery, childRecord } from "../childView.ts";
import { deliveryOf } from "../delivery.ts";
import {
  batchMessageShape,
  MESSAGE_MEMBERS,
  messageExample,
  messageParams,
  messageRecord,
  unknownMessage,
  versionOfMessage,
} from "../messageView.ts";

const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

export type StatsPorts = Pick<RoutePorts, "alertsOf" | "clickHouse" | "clock" | "freshness" | "postgres">;

interface OneMessage {
  readonly id: string;
  readonly fields: string | undefined;
  readonly signal: AbortSignal;
}

/** Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
async function readOneMessage(
  { id, fields, signal }: OneMessage,
  account: Account,
  { postgres, clock, ...ports }: StatsPorts,
): Promise<Answer> {
  const pick = pickFields(fields, MESSAGE_MEMBERS);
  if (parseChildId(id) !== undefined) return readChild({ id, fields, signal }, account, { postgres, clock, ...ports });
  const picks = (members: object) => Object.keys(pick(members)).length > 0;
  const { message, delivery } = await withSnapshot(postgres, async (session) => {
    const found = await readBatchMessage(session, account.number, id);
    if (found === undefined) throw unknownMessage();
    // Counting a million sends takes longer than their numbers.
    const isCounted = found.audienceTotal !== null && picks({ delivery: "" });
    if (!isCounted) return { message: found, delivery: undefined };
    const counts = await countSendStates(session, { account: account.number, message: id });
    return { message: found, delivery: deliveryOf(found, counts) };
  });
  const isBegun = message.audienceTotal !== null;
  // Nothing was sent: that is certain as of now.
  const none = { stats: noStats, asOf: toTimestamp(clock.nowMs()) };
  const numbers = isBegun ? await readStatsView({ id, account, fields, signal }, ports) : none;
  const alertsOf = await readAlertsView(postgres, { account: account.number, ids: [id], fields }, ports);
  const record = { ...messageRecord(message, { account }), ...alertsOf(id) };
  return {
    status: 200,
    body: pick({ ...record, ...(delivery !== undefined && { delivery }), ...numbers }),
    headers: { ETag: etagOf(versionOfMessage(message)) },
  };
}

/** Throws 404 `RECORD_NOT_FOUND`. */
async function readChild(
  { id, fields, signal }: OneMessage,
  account: Account,
  { postgres, clock, ...ports }: StatsPorts,
): Promise<Answer> {
  const pick = pickFields(fields, MESSAGE_MEMBERS);
  const { child, counts } = await withSnapshot(postgres, async (session) => {
    const [found] = await readTemplateChildren(session, account.number, [id]);
    if (found === undefined) throw unknownMessage();
    return { child: found, counts: await countSendStates(session, { account: account.number, message: id }) };
  });
  const { mdtId: of = id, period } = parseChildId(id) ?? {};
  const numbers = await readStatsView({ id: of, period, account, fields, signal }, ports);
  return {
    status: 200,
    body: pick({ ...childRecord(child, { account, nowMs: clock.nowMs() }), ...childDelivery(counts), ...numbers }),
  };
}

export function getBatchmessage(ports: AfterPorts & StatsPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}",
    operationId: "getBatchmessage",
    summary: "Returns a batch message, or a day or an hour of a template.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The message.", schema: batchMessageShape.partial(), example: messageExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
    },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    params: messageParams,
    query,
    handler: async ({ params: { id }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneMessage({ id, fields, signal }, caller.account, ports);
    },
  });
}
