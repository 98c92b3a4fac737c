import type { RoutePorts } from "@headwater/api/ports";
import { toTimestamp } from "@headwater/contracts";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { alertBody, alertRequestExample, isMessageType, PERIOD_MINUTES_DEFAULT } from "../alert.ts";
import { expectTarget } from "../expectTarget.ts";
import { raisedBy, readValues } from "../history.ts";
import { wholeMinute } from "../observe.ts";

type SimulationPorts = Pick<RoutePorts, "postgres" | "clickHouse" | "clock" | "freshness">;

const MINUTE_MS = 60_000;
const MINUTES = 7 * 24 * 60;

const answer = z.strictObject({
  data: z
    .array(
      z.strictObject({
        from: z.string().describe("Time at which it would have been raised."),
        to: z
          .string()
          .optional()
          .describe("Time at which it would have been cleared; absent while it still is raised."),
        value: z.number().describe("Value that would have raised it."),
      }),
    )
    .describe("In order of time."),
  from: z.string().describe("First time at which it was tried."),
  asOf: z.string().describe("Last time at which it was tried: everything up to it is counted."),
});

const example = {
  data: [{ from: "2026-01-08T09:12:00.000Z", to: "2026-01-08T10:05:00.000Z", value: 0.081 }],
  from: "2026-01-02T22:47:00.000Z",
  asOf: "2026-01-09T22:47:00.000Z",
};

export function simulateAlert(ports: SimulationPorts): Route {
  return defineRoute({
    method: "POST",
    path: "/v2/alerts/test",
    operationId: "simulateAlert",
    summary: "Returns when an alert would have been raised in the last seven days. Nothing is stored or sent.",
    description:
      "It is evaluated at each minute, with what was known by then. Times of which nothing is known raise and clear nothing; of `lag-seconds` something is known since the installation watches alerts.",
    tags: ["alerts"],
    answers: {
      200: { description: "The times.", schema: answer, example },
      503: { description: "SERVICE_UNAVAILABLE: the past cannot be read now." },
    },
    auth: "basic",
    scope: "alerts:read",
    rateClass: "read",
    body: alertBody,
    requestExample: alertRequestExample,
    handler: async ({ body, caller: { account }, signal }) => {
      const { type, conditions, msID = null, mdtID = null } = body;
      const period = body.period ?? PERIOD_MINUTES_DEFAULT;
      const target = { type, msID, mdtID };
      await expectTarget(ports.postgres, account.number, target);
      const nowMs = ports.clock.nowMs();
      const waits = isMessageType(type) || type === "intake-rejected-rate";
      const asOf = wholeMinute(waits ? Math.min(nowMs, await ports.freshness()) : nowMs);
      const last = asOf / MINUTE_MS;
      const first = last - MINUTES;
      const values = await readValues(
        { account, alert: { ...target, conditions, period }, first, last, signal },
        ports,
      );
      const timeOf = (minute: number) => toTimestamp(minute * MINUTE_MS);
      const data = raisedBy(values, conditions).map(({ from, to, value }) => ({
        from: timeOf(from),
        ...(to !== undefined && { to: timeOf(to) }),
        value,
      }));
      return { status: 200, body: { data, from: timeOf(first), asOf: toTimestamp(asOf) } };
    },
  });
}
