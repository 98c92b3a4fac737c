import { z } from "zod";
import { startApp } from "../processes/app.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";

const created = z.object({ orchestrationID: z.string() });

/** Publishes and enables an orchestration. @returns its id. */
export async function enableOrchestration(world: World, port: number, members: object): Promise<string> {
  const { orchestrationID } = created.parse(
    await callService(world, { port, path: "/v2/orchestrations", body: members }),
  );
  await setStatus(world, port, { orchestration: orchestrationID, isEnabled: true });
  return orchestrationID;
}

export async function setStatus(
  world: World,
  port: number,
  { orchestration, isEnabled }: { readonly orchestration: string; readonly isEnabled: boolean },
): Promise<void> {
  const body = { status: isEnabled, ...(isEnabled && { publish: true }) };
  await callService(world, { port, path: `/v2/orchestrations/${orchestration}`, method: "PUT", body });
}

/** Runs work over a service, which is gone before anything is measured. */
export async function withService<Result>(
  bench: Bench,
  world: World,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const service = await startApp(bench, "service", world.env);
  try {
    return await work(service.port);
  } finally {
    await service.stop();
  }
}
