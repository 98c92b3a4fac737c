import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineKafka, kafkaArchive, newClusterId } from "../embedded/kafka/definition.ts";
import { defineRegistry, registryArchive } from "../embedded/registry/definition.ts";
import { BoundedLog } from "./boundedLog.ts";
import type { OnProgress, ServiceDefinition, ServiceName } from "./definition.ts";
import { Guard } from "./guard.ts";
import { freePort } from "./ports.ts";
import { type ProcessPlan, SupervisedProcess } from "./supervisedProcess.ts";

/** Java loads some 15,000 classes for it. */
const WRITE_TIMEOUT_MS = 120_000;

export interface ArchiveOptions {
  /** Folder of downloads, in which the archives are kept, too. */
  readonly cache: string;
  readonly onProgress: OnProgress;
  /** Services whose classes are kept, where they are Java's. */
  readonly services: readonly ServiceName[];
  /** Ends the work; the next call begins again. */
  readonly signal?: AbortSignal | undefined;
  /** Leaves the processor to everybody else. Default false. */
  readonly isInBackground?: boolean;
}

interface Archived {
  readonly service: ServiceName;
  readonly archive: () => string;
  readonly define: (classesTo: string) => Promise<ServiceDefinition>;
}

/**
 * Keeps the classes of the fetched Kafka and registry as Java has loaded and checked them, once for all clones: their starts take a
 * third of the time then. Each is started on an empty folder for it. What goes wrong is told and left: they start without, too.
 */
export async function archiveClasses(options: ArchiveOptions): Promise<void> {
  const { cache, services, onProgress, signal } = options;
  const wanted = archivedServices(cache).filter(({ service }) => services.includes(service));
  for (const { define, ...archived } of wanted) {
    const archive = archived.archive();
    if (existsSync(archive) || signal?.aborted) continue;
    const folder = await mkdtemp(join(tmpdir(), "headwater-classes-"));
    const written = `${archive}.unfinished-${process.pid}`;
    try {
      await writeArchive(await define(written), folder, options);
      if (existsSync(written)) await rename(written, archive);
    } catch (error) {
      if (signal?.aborted) return;
      onProgress(`the classes of Java's servers are not kept, and each start takes longer: ${String(error)}`);
    } finally {
      for (const path of [folder, written]) await rm(path, { recursive: true, force: true });
    }
  }
}

function archivedServices(cache: string): Archived[] {
  return [
    {
      service: "kafka",
      archive: () => kafkaArchive(cache),
      define: async (classesTo) => {
        const node = { id: 1, port: await freePort(), controllerPort: await freePort() };
        return defineKafka({ cache, node, nodes: [node], clusterId: newClusterId(), isShortLived: true, classesTo });
      },
    },
    {
      service: "registry",
      archive: () => registryArchive(cache),
      define: async (classesTo) => defineRegistry({ cache, port: await freePort(), classesTo }),
    },
  ];
}

async function writeArchive(definition: ServiceDefinition, folder: string, options: ArchiveOptions): Promise<void> {
  const { name, isReady } = definition;
  const { onProgress, signal, isInBackground = false } = options;
  if (!isInBackground) onProgress(`keeping the classes of ${name}, for quicker starts`);
  await definition.prepare(folder);
  const guard = new Guard();
  const server = new SupervisedProcess({
    ...{ name, isReady, guard, autoRestart: false, stopTimeoutMs: WRITE_TIMEOUT_MS },
    plan: async () => (isInBackground ? deferred(await definition.launch(folder)) : definition.launch(folder)),
    log: new BoundedLog(join(folder, "server.log")),
  });
  const kill = () => server.kill("SIGKILL");
  signal?.addEventListener("abort", kill);
  try {
    if (!signal?.aborted) await server.start();
  } finally {
    // It writes its classes while it stops, which an abort ends, too.
    await server.stop();
    signal?.removeEventListener("abort", kill);
    guard.close();
  }
}

/** Leaves the processor to everybody else. */
function deferred({ command, args, ...plan }: ProcessPlan): ProcessPlan {
  return { ...plan, command: "nice", args: ["-n", "19", command, ...args] };
}
