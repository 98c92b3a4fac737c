import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts, RoutePorts } from "@headwater/api/ports";
import { toTimestamp, webhookEventTypes } from "@headwater/contracts";
import { defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { deliveryStates, readTries } from "../delivery.ts";
import { countDeliveries, type ListedDelivery, pageDeliveries } from "../deliveryReads.ts";
import { webhooks } from "../postgres.ts";

const shape = z.strictObject({
  id: z.string().describe("The `webhook-id` of all its tries."),
  event: z.enum(webhookEventTypes),
  at: z.string().describe("When it happened."),
  state: z.enum(deliveryStates).describe("`kept`: its webhook was disabled, and it waits for a replay."),
  tries: z
    .array(
      z.strictObject({
        at: z.string(),
        status: z.number().int().nullable().describe("Null: nobody answered within 15 seconds."),
        ms: z.number().int(),
        error: z.string().optional(),
      }),
    )
    .describe("The last 16."),
  next: z.string().optional().describe("When it is tried next."),
});

const eventType = z.enum(webhookEventTypes);
const stateType = z.enum(deliveryStates);

function toRecord({ event, type, at, state, tries, nextAt }: ListedDelivery): z.input<typeof shape> {
  return {
    id: event,
    event: eventType.parse(type),
    at: toTimestamp(at),
    state: stateType.parse(state),
    tries: readTries(tries).map((one) => ({ ...one, at: toTimestamp(one.at) })),
    ...(nextAt !== null && { next: toTimestamp(nextAt) }),
  };
}

const example = {
  data: [
    {
      ...{ id: "msg_65f0c0ffee65f0c0ffee00f165f0c0ff", event: "job.done", at: "2026-01-09T22:47:12.000Z" },
      state: "pending",
      tries: [{ at: "2026-01-09T22:47:12.100Z", status: 503, ms: 41 }],
      next: "2026-01-09T22:47:17.141Z",
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const position = z.strictObject({ at: z.number().int(), event: storableText(64) });

export function listWebhookdeliveries(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  const { postgres, cursors } = ports;
  return defineRoute({
    method: "GET",
    path: "/v2/webhooks/{id}/deliveries",
    operationId: "listWebhookdeliveries",
    summary: "Lists what was posted to a webhook, what waits and what has failed, the latest event first.",
    description: "Events are kept for 30 days.",
    tags: ["webhooks"],
    answers: {
      200: { description: "A page of deliveries.", schema: pageOf(shape.partial()), example },
      404: { description: "RECORD_NOT_FOUND: no webhook has this id." },
    },
    auth: "basic",
    scope: "webhooks:read",
    rateClass: "read",
    params: z.strictObject({ id: storableText(1_024) }),
    query: z.strictObject({
      ...listQuery,
      sort_by: z.enum(["at"]).optional(),
      state: stateType.optional(),
      event: eventType.optional(),
      "at[gt]": bound,
      "at[gte]": bound,
      "at[lt]": bound,
      "at[lte]": bound,
    }),
    handler: async ({ params: { id }, query, caller, caller: { account }, signal }) => {
      await waitForAfter({ token: query.after, caller, store: "state", signal }, ports);
      const { number } = account;
      if ((await webhooks.read(postgres, { account: number, key: id })) === undefined)
        throw refusal("RECORD_NOT_FOUND", "No webhook has this id.");
      const rules = {
        list: `deliveries of ${id}`,
        key: position,
        direction: "desc",
        account: number,
        cursors,
      } as const;
      const page = readPage(query, rules);
      const pick = pickFields(query.fields, Object.keys(shape.shape));
      const range = readTimeRange(query, "at", account.settings.timezone);
      const filters = { account: number, webhook: id, state: query.state, type: query.event, ...range };
      const { direction, after: last, skip, perPage } = page;
      const { rows, total } = await readCounted(postgres, query, {
        page: (session) => pageDeliveries(session, { ...filters, direction, last, skip, rowsMax: perPage + 1 }),
        count: (session) => countDeliveries(session, filters),
      });
      const cut = cutPage(rows, page, ({ at, event }) => ({ at, event }));
      const listed = { rows: cut.rows.map((row) => pick(toRecord(row))), nextCursor: cut.nextCursor };
      return listAnswer({ path: `/v2/webhooks/${id}/deliveries`, query, page, listed, total });
    },
  });
}
