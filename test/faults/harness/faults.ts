import { setTimeout as sleep } from "node:timers/promises";
import type { SupervisedProcess } from "../../../infra/src/index.ts";
import { type Apps, SESSION_TIMEOUT_MS } from "./apps.ts";
import type { EventLoopWatch } from "./eventLoops.ts";
import type { ProxiedIngress } from "./proxiedIngress.ts";
import type { Random } from "./random.ts";
import type { Ground } from "./services.ts";

export const faultNames = [
  "kill projector",
  "kill postgres",
  "kill kafka",
  "kill clickhouse",
  "kill ingress",
  "kill registry",
  "swallow answers of kafka",
  "two projectors",
  "stop and wake a projector",
  "end ingress by SIGTERM",
  "kill projector and clickhouse",
  "kill projector and postgres",
] as const;
export type FaultName = (typeof faultNames)[number];

export interface FaultGround {
  readonly ground: Ground;
  readonly apps: Apps;
  readonly proxied: ProxiedIngress;
  readonly random: Random;
  readonly loops: EventLoopWatch;
}

/** Every fault at least once before any comes again, in an order that the seed decides. */
export function drawFaults(random: Random, count: number): FaultName[] {
  const drawn: FaultName[] = [];
  while (drawn.length < count) drawn.push(...shuffled(random, faultNames));
  return drawn.slice(0, count);
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Commits a fault and waits until what must run answers again; the registry takes its time, and all goes on without it. */
export async function commitFault(name: FaultName, on: FaultGround): Promise<void> {
  await faults[name](on);
  const { kafka, postgres, clickhouse } = on.ground.services.services;
  const all = [kafka, postgres, clickhouse, on.apps.ingress(), on.apps.projector(0)];
  await Promise.all(all.map((one) => one?.ready()));
}

const faults: Readonly<Record<FaultName, (on: FaultGround) => Promise<void>>> = {
  "kill projector": async ({ apps }) => kill(apps.projector(0)),
  "kill ingress": async ({ apps }) => kill(apps.ingress()),
  "kill kafka": async ({ ground }) => kill(ground.services.services.kafka),
  "kill postgres": async ({ ground }) => kill(ground.services.services.postgres),
  "kill clickhouse": async ({ ground }) => kill(ground.services.services.clickhouse),
  "kill registry": async ({ ground }) => kill(ground.services.services.registry),
  "kill projector and clickhouse": async ({ ground, apps }) => {
    kill(ground.services.services.clickhouse);
    kill(apps.projector(0));
  },
  "kill projector and postgres": async ({ ground, apps }) => {
    kill(ground.services.services.postgres);
    kill(apps.projector(0));
  },
  "end ingress by SIGTERM": async ({ apps }) => apps.ingress().restart(),
  "swallow answers of kafka": async ({ proxied, random }) => {
    proxied.proxy.setMode("swallowAnswers");
    await sleep(random.between(500, 4_000));
    proxied.proxy.setMode("forward");
  },
  "two projectors": async ({ apps, random }) => {
    const rival = apps.projector(1);
    await rival.start();
    await sleep(random.between(2_000, 6_000));
    if (random.chance(0.5)) rival.kill("SIGKILL");
    await rival.stop();
  },
  "stop and wake a projector": stopAndWake,
};

/** The rival takes the partitions over while the other one sleeps; both run for a while after it woke. */
async function stopAndWake({ apps, random, loops }: FaultGround): Promise<void> {
  const [sleeper, rival] = [apps.projector(0), apps.projector(1)];
  await rival.start();
  const stoppedForMs = SESSION_TIMEOUT_MS + random.between(1_000, 5_000);
  await loops.whileStopped(sleeper.name, async () => {
    sleeper.kill("SIGSTOP");
    await sleep(stoppedForMs);
    sleeper.kill("SIGCONT");
  });
  await sleep(random.between(500, 3_000));
  await rival.stop();
}

function kill(process: SupervisedProcess | undefined): void {
  if (process === undefined) throw new Error("a service to be killed was not started here");
  process.kill("SIGKILL");
}
