import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import {
  type Account,
  experimentTypes,
  findEnabledTest,
  readExperimentState,
  splitReasons,
} from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { variantStatsShape } from "../../messages/messageNumbers.ts";
import { readBatchMessage } from "../batchMessages.ts";
import { type PerformancePorts, readExperiment } from "../experimentNumbers.ts";
import { messageParams, unknownMessage } from "../messageView.ts";
import { readMessageSettings } from "../storedMessage.ts";

export const query = z.strictObject(afterQuery);

const variant = z.strictObject({
  name: z.string(),
  stats: variantStatsShape,
  conversions: z.number().int(),
  share: z
    .number()
    .optional()
    .describe("Share of the next sends that a bandit gives it, once it has learnt something."),
});

export const performanceAnswer = z.strictObject({
  name: z.string(),
  strategy: z.enum(experimentTypes),
  totalAudience: z.number().int(),
  conversions: z
    .number()
    .int()
    .describe("Contacts that got the message and reached the experiment's goal since it began."),
  variants: z.array(variant),
  decision: z
    .strictObject({ winner: z.string().optional(), reason: z.enum(splitReasons).optional(), at: z.string() })
    .optional()
    .describe("End of a champion's test. Without a `winner` the message stays a split."),
  asOf: z.string(),
});

const stats = {
  ...{ sends: 500, clicks: 61, uniqueClicks: 48, opens: 320, uniqueOpens: 245, bounces: 9, revenue: 917.25 },
  ...{ orders: 11, complaints: 0, optouts: 2 },
};

export const performanceExample = {
  name: "subject",
  strategy: "split",
  totalAudience: 1_000,
  conversions: 37,
  variants: [
    { name: "short", stats, conversions: 20 },
    { name: "long", stats: { ...stats, uniqueOpens: 201 }, conversions: 17 },
  ],
  asOf: "2026-03-31T22:47:12.000Z",
};

interface PerformanceCall {
  readonly id: string;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** Reads the numbers of a message's experiment by variant. Throws 404 `RECORD_NOT_FOUND`, also for a message without an experiment. */
async function readPerformance({ id, account, signal }: PerformanceCall, ports: PerformancePorts): Promise<Answer> {
  const message = await readBatchMessage(ports.postgres, account.number, id);
  if (message === undefined) throw unknownMessage();
  const test = findEnabledTest(readMessageSettings(message).tests)?.test;
  if (test === undefined) throw refusal("RECORD_NOT_FOUND", "The message has no enabled experiment.");
  const learnt = readExperimentState(message.experiment);
  const { shown: view } = await readExperiment({ account, id, test, learnt, beganAt: message.sendAt, signal }, ports);
  const { name, strategy, ...numbers } = view;
  return { status: 200, body: { name, strategy, totalAudience: message.audienceTotal ?? 0, ...numbers } };
}

export function getExperimentperformance(ports: AfterPorts & PerformancePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}/experimentperformance",
    operationId: "getExperimentperformance",
    summary: "Returns the numbers of a batch message's experiment by variant.",
    description: "Opens and clicks of machines are left out. A variant that nobody got yet has zeros.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The numbers.", schema: performanceAnswer, example: performanceExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id, or it has no enabled experiment." },
    },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    params: messageParams,
    query,
    handler: async ({ params: { id }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return readPerformance({ id, account: caller.account, signal }, ports);
    },
  });
}
