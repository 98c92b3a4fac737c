import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { createFileStore, type FileStore } from "@headwater/jobs/files/fileStore";
import { runJob } from "@headwater/jobs/runner/runJob";
import type { RunnerOptions } from "@headwater/jobs/runner/runnerOptions";
import { createOutbound, systemClock } from "@headwater/kernel";
import { createJobKinds } from "@headwater/worker/jobs/index";
import type { Running } from "../service/running.ts";
import { logger, noBulk } from "../stores/fresh.ts";
import { sources, storages } from "./sandboxes.ts";

/** A folder for what the jobs of a test file write. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "headwater-jobs-"));
}

type Outward = Pick<RunnerOptions, "outbound" | "sealer"> & Partial<Pick<RunnerOptions, "kinds">>;

/** Works a job off as the worker would, until it is over or has to wait. */
export async function workOff(
  { postgres, clickHouse: clickhouse, bulk = noBulk }: Pick<Running, "postgres" | "clickHouse"> & Partial<Running>,
  jobId: string,
  folder: string | FileStore = "/nonexistent",
  { kinds = createJobKinds().kinds, ...outward }: Outward = {
    outbound: createOutbound({ allow: [] }),
    sealer: undefined,
  },
): Promise<void> {
  const ports = {
    postgres,
    clickhouse,
    bulk,
    files: typeof folder === "string" ? createFileStore({ folder }) : folder,
    sources,
    storages,
    ...outward,
    producer: { append: () => Promise.reject(new Error("this test has no log")) },
    sinkSettleMs: 0,
    highWatermarks: async () => [],
    clock: systemClock,
    logger,
  };
  const account = (number: number) => findAccountByNumber(postgres, number);
  const leave = async () => undefined;
  const queue = { add: leave, giveBack: leave, hasRoom: async () => true, isOthersTurn: async () => false };
  const runner = { ...ports, queue, kinds, account, onEnd: () => undefined };
  await runJob(runner, jobId, new AbortController().signal);
}
