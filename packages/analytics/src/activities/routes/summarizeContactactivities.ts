import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, bound } from "@headwater/api/paging/query";
import { readTime } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { ACTIONS_MAX, countByAction, PROPERTIES_MAX, readProperties } from "../activitySummary.ts";

const query = z.strictObject({
  from: bound.describe("ISO 8601, included. Default: from the first activity on."),
  to: bound.describe("ISO 8601, excluded. Default: up to the last one."),
  ...afterQuery,
});

const types = z.enum(["array", "boolean", "null", "number", "object", "text"]);
const answer = z.strictObject({
  data: z.array(
    z.strictObject({
      action: z.string(),
      count: z.number().int(),
      first: z.string(),
      last: z.string(),
      properties: z.array(z.strictObject({ name: z.string(), types: z.array(types) })),
    }),
  ),
  truncated: z.boolean().meta({ description: `The account has more than ${ACTIONS_MAX} actions.` }),
  asOf: z.string(),
});
const example = {
  data: [
    {
      ...{ action: "browse", count: 48_112, first: "2025-11-02T08:14:00.000Z", last: "2026-01-09T22:47:12.000Z" },
      properties: [
        { name: "category", types: ["text"] },
        { name: "price", types: ["number", "text"] },
      ],
    },
  ],
  truncated: false,
  asOf: "2026-01-09T22:47:13.000Z",
};

interface Asked {
  readonly account: Account;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly signal: AbortSignal;
}

type SummaryPorts = AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness">;

async function summarize(
  { account, from, to, signal }: Asked,
  { clickHouse, freshness }: Pick<SummaryPorts, "clickHouse" | "freshness">,
): Promise<Answer> {
  const { timezone } = account.settings;
  const range = {
    ...(from !== undefined && { from: readTime(from, "from", timezone) }),
    ...(to !== undefined && { to: readTime(to, "to", timezone) }),
  };
  // Freshness is read before the counts, so that `asOf` covers only what they could see.
  const asOf = await freshness();
  const of = { account: account.number, signal };
  const counted = await countByAction(clickHouse, { ...of, range });
  const rows = counted.slice(0, ACTIONS_MAX);
  const properties = Map.groupBy(await readProperties(clickHouse, rows, of), ({ action }) => action);
  const data = rows.map(({ action, count, first, last }) => ({
    ...{ action, count, first: toTimestamp(first), last: toTimestamp(last) },
    properties: (properties.get(action) ?? []).map(({ name, types: found }) => ({ name, types: found })),
  }));
  return { status: 200, body: { data, truncated: counted.length > ACTIONS_MAX, asOf: toTimestamp(asOf) } };
}

export function summarizeContactactivities(ports: SummaryPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contactactivities/summary",
    operationId: "summarizeContactactivities",
    summary: "Lists the actions of an account's activities with their counts, first and last time, and properties.",
    description: `The ${ACTIONS_MAX} most frequent actions, each with up to ${PROPERTIES_MAX} properties of its newest activities and the types of their values.`,
    tags: ["contactactivities"],
    answers: { 200: { description: "The actions, the most frequent first.", schema: answer, example } },
    auth: "basic",
    scope: "contactactivities:read",
    rateClass: "audienceCount",
    query,
    handler: async ({ query: { from, to, after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "activities", signal }, ports);
      return summarize({ account: caller.account, from, to, signal }, ports);
    },
  });
}
