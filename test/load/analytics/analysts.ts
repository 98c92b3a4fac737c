import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type App, startApp } from "../processes/app.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";

/** Service and worker, as analysts use them. */
export interface Analysts {
  readonly service: App;
  readonly worker: App;
}

/** Runs work over a service and a worker that share a folder of files and may reach the loopback. */
export async function withAnalysts<Result>(
  bench: Bench,
  world: World,
  run: (analysts: Analysts) => Promise<Result>,
): Promise<Result> {
  const folder = join(bench.folder, "files");
  const keyFile = join(bench.folder, "settings.key");
  await mkdir(folder, { recursive: true });
  await writeFile(keyFile, Buffer.alloc(32, 7).toString("hex"));
  const env = {
    ...world.env,
    HEADWATER_FILES_FOLDER: folder,
    HEADWATER_SETTINGS_KEY_FILE: keyFile,
    HEADWATER_OUTBOUND_ALLOW: "127.0.0.0/8",
  };
  const service = await startApp(bench, "service", env);
  const worker = await startApp(bench, "worker", env);
  try {
    return await run({ service, worker });
  } finally {
    await Promise.all([worker.stop(), service.stop()]);
  }
}

const started = z.object({ jobId: z.string() });
const jobShape = z.object({
  status: z.string(),
  result: z.looseObject({ totalRecords: z.number().optional() }).nullish(),
  metadata: z.looseObject({ watermark: z.object({ token: z.string() }).optional() }),
});
export type EndedJob = z.output<typeof jobShape> & {
  /** Seconds from the call to the end that a client sees. */
  readonly seconds: number;
  /** Processor time of the worker meanwhile. */
  readonly cpuSeconds: number;
};

const POLL_MS = 20;
const STUCK_MS = 1_800_000;

/** Starts a job and waits for its end. @throws Error when it fails. */
export async function runJob(
  world: World,
  { service, worker }: Analysts,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<EndedJob> {
  const { port } = service;
  const [startedAtMs, cpuBefore] = [performance.now(), worker.cpuSeconds()];
  const { jobId } = started.parse(await callService(world, { port, path, body }));
  for (;;) {
    const job = jobShape.parse(await callService(world, { port, path: `/v2/jobs/${jobId}` }));
    const ms = performance.now() - startedAtMs;
    if (job.status === "Done") return { ...job, seconds: ms / 1_000, cpuSeconds: worker.cpuSeconds() - cpuBefore };
    if (job.status === "Failed" || ms > STUCK_MS) throw new Error(`${path}: ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
