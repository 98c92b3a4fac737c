import { z } from "zod";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";

/** The ingress, the server that only parses, and the process that loads them. */
export interface HttpTargets {
  readonly ingress: App;
  readonly parseOnly: { readonly pid: number; readonly port: number };
  readonly load: Worker;
}

/** Runs work over the targets, which end with it. */
export async function withHttpTargets<Result>(
  bench: Bench,
  world: World,
  run: (targets: HttpTargets) => Promise<Result>,
): Promise<Result> {
  const ingress = await startApp(bench, "ingress", world.env);
  const server = await startWorker("parseOnlyServer.ts");
  const load = await startWorker("httpLoad.ts");
  try {
    const { port } = await server.run({}, z.object({ port: z.number() }));
    return await run({ ingress, parseOnly: { pid: server.pid, port }, load });
  } finally {
    await Promise.all([load.stop(), server.stop(), ingress.stop()]);
  }
}
