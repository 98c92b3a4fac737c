import { join } from "node:path";
import { BoundedLog } from "./boundedLog.ts";
import { openDataFolder } from "./dataFolder.ts";
import type { OnProgress, ServiceDefinition } from "./definition.ts";
import type { Guard } from "./guard.ts";
import { SupervisedProcess } from "./supervisedProcess.ts";

export interface EmbeddedServiceOptions {
  readonly home: string;
  readonly guard: Guard;
  readonly autoRestart: boolean;
  readonly onProgress: OnProgress;
}

/** Prepares a service's data folder under `home` and starts it; resolves when it answers. */
export async function startEmbeddedService(
  definition: ServiceDefinition,
  { home, guard, autoRestart, onProgress }: EmbeddedServiceOptions,
): Promise<SupervisedProcess> {
  const startedAtMs = performance.now();
  const folder = await openDataFolder(home, definition);
  const service = new SupervisedProcess({
    name: definition.name,
    plan: () => definition.launch(folder),
    isReady: definition.isReady,
    log: new BoundedLog(join(home, "logs", `${definition.name}.log`)),
    guard,
    autoRestart,
  });
  try {
    await service.start();
  } catch (error) {
    await service.stop();
    throw error;
  }
  onProgress(`${definition.name} is ready (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  return service;
}
