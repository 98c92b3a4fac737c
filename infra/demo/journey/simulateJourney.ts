import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DemoFailure } from "../demoFailure.ts";
import type { HttpApi } from "../httpApi.ts";
import { count } from "../progress.ts";

const NAME = "Demo: bought, then 30 days of silence";
const POLL_MS = 250;
/** Time that the worker may take for a year of purchases. */
const SIMULATION_MAX_MS = 60_000;
const stretch = { from: "2010-12-01", to: "2011-12-10", basis: "event" } as const;
const days30 = { n: 30, unit: "day" } as const;

/** An invoice is many purchases at one instant: the hour after it takes them in, and what comes later is another one. */
export const journey = {
  trigger: { event: { action: "purchase" } },
  composition: {
    draft: {
      actions: [
        { id: "settle", type: "delay", config: { for: { n: 1, unit: "hour" } }, next: [{ id: "silence" }] },
        {
          ...{ id: "silence", type: "wait" },
          config: { any: [{ event: "purchase" }], timeout: days30, since: "here" },
          next: [
            { id: "settle", label: "0" },
            { id: "silent", label: "timeout" },
          ],
        },
        { id: "silent", type: "goal", config: { name: "30 days of silence" }, next: [{ id: "return" }] },
        {
          ...{ id: "return", type: "wait" },
          config: { any: [{ event: "purchase" }], timeout: days30, since: "here" },
        },
      ],
    },
  },
} as const;

const listed = z.object({ data: z.array(z.object({ orchestrationID: z.string(), name: z.string() })) });
const created = z.object({ orchestrationID: z.string() });
const started = z.object({ jobId: z.string() });
const simulation = z.object({
  entered: z.number(),
  live: z.number(),
  edges: z.array(
    z.object({ from: z.string(), label: z.string().nullable(), to: z.string().nullable(), count: z.number() }),
  ),
});
const job = z.object({
  status: z.string(),
  metadata: z.object({ simulation: simulation.optional() }).optional(),
});

export type Simulated = z.output<typeof simulation>;

/** Simulates the journey over the year of the data; it is a draft, and starts nobody. @returns the lines that show what it would have done. */
export async function simulateJourney(api: HttpApi): Promise<string[]> {
  const orchestration = await findOrCreate(api);
  const path = `/v2/orchestrations/${orchestration}/simulate`;
  const { jobId } = started.parse(await api.write("POST", path, { version: "draft", ...stretch }));
  const result = await resultOf(api, jobId);
  return [
    `"Bought, then 30 days of silence": what this journey would have done with all customers of that year`,
    `   POST ${path} ${JSON.stringify(stretch)}`,
    ...tableOf(result),
    `   each customer's way, in its files: GET /v2/jobs/${jobId}`,
  ];
}

/** Returns the rows of the table, with the numbers right below each other. */
export function tableOf({ entered, live, edges }: Simulated): string[] {
  const taken = (from: string, label: string) =>
    edges.filter((edge) => edge.from === from && edge.label === label).reduce((sum, edge) => sum + edge.count, 0);
  const rows = [
    ["customers bought for the first time", entered],
    ["times somebody bought again within 30 days", taken("silence", "0")],
    ["customers were silent for 30 days", taken("silence", "timeout")],
    ["of them bought again within 30 days more", taken("return", "0")],
    ["of them did not", taken("return", "timeout")],
    ["customers were on their way when the data end", live],
  ] as const;
  const width = Math.max(...rows.map(([, number]) => count(number).length));
  return rows.map(([what, number]) => `   ${count(number).padStart(width)}  ${what}`);
}

async function findOrCreate(api: HttpApi): Promise<string> {
  const { data } = listed.parse(await api.get("/v2/orchestrations?fields=orchestrationID,name&per_page=500"));
  const known = data.find(({ name }) => name === NAME);
  if (known !== undefined) return known.orchestrationID;
  return created.parse(await api.write("POST", "/v2/orchestrations", { name: NAME, ...journey })).orchestrationID;
}

async function resultOf(api: HttpApi, jobId: string): Promise<Simulated> {
  const endMs = performance.now() + SIMULATION_MAX_MS;
  for (;;) {
    const { status, metadata } = job.parse(await api.get(`/v2/jobs/${jobId}`));
    if (status === "Done" && metadata?.simulation !== undefined) return metadata.simulation;
    const isOpen = status === "Scheduled" || status === "Pending" || status === "Processing" || status === "Throttled";
    if (!isOpen || performance.now() > endMs) throw new DemoFailure(`The simulation ${jobId} is ${status}.`);
    await sleep(POLL_MS);
  }
}
