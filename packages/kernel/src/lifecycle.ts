import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";
import { withTimeout } from "./retry.ts";

/** Stage of a process: its parts start, all of them run, or a stop has begun. */
export type LifecycleStage = "starting" | "running" | "stopping";

/** Something a process holds: a server, a consumer, a pool. */
export interface Part {
  /** Resolves when it is ready for use. */
  start?(): unknown;
  /** Resolves when it has finished what it had begun and holds nothing any more. */
  stop?(): unknown;
  /** Bound on `stop`; default that of the life cycle. */
  readonly stopTimeoutMs?: number;
}

export interface Lifecycle {
  /** Adds a part. Parts start in the order of these calls and stop in reverse. */
  use(name: string, part: Part): void;
  /** Starts all parts. When one cannot start, those before it are stopped and the process exits with 1. */
  start(): Promise<void>;
  /** Stops all parts and exits: 0, or 1 when a part failed or took too long. A second call joins the first. */
  stop(reason: string): Promise<void>;
  /** `running` once every part has started; `stopping` from the first word of a stop on, while the parts still run. */
  stage(): LifecycleStage;
  /**
   * Logs and exits with 1 at once, stopping nothing: what is durable survives kill -9 by design, and a process that no
   * longer knows its state must not send anything more.
   * @param event what brought the error up, such as `unhandledRejection`.
   */
  fatal(error: unknown, event?: string): void;
}

/** The parts of `process` that a life cycle uses; `process` itself outside tests. */
export interface ProcessHandle {
  on(event: string, listener: (argument: unknown) => void): unknown;
  exit(code: number): unknown;
}

export interface LifecycleOptions {
  /** Bound on each part's stop; default 15 s. */
  readonly stopTimeoutMs?: number;
  /** Time that the parts go on after a stop was asked for, so that balancers hear of it first; default 0. */
  readonly drainMs?: number;
  readonly process?: ProcessHandle;
}

interface NamedPart extends Part {
  readonly name: string;
}

/**
 * Runs a process's parts: SIGTERM and SIGINT stop them in reverse order, a second signal exits at once, and an uncaught
 * exception or unhandled rejection is fatal.
 */
export function createLifecycle(logger: Logger, options: LifecycleOptions = {}): Lifecycle {
  const handle = options.process ?? process;
  const { stopTimeoutMs = 15_000, drainMs = 0 } = options;
  const parts: NamedPart[] = [];
  const started: NamedPart[] = [];
  let stopping: Promise<void> | undefined;
  let hasStarted = false;

  async function drainAndStop(): Promise<void> {
    if (drainMs > 0 && started.length > 0) await sleep(drainMs);
    const isClean = await stopAll(started, stopTimeoutMs, logger);
    handle.exit(isClean ? 0 : 1);
  }

  const lifecycle: Lifecycle = {
    use: (name, part) => void parts.push(named(name, part)),
    async start() {
      try {
        await startAll(parts, started, () => stopping !== undefined, logger);
        hasStarted = true;
      } catch (error) {
        logger.fatal({ err: error }, "start failed");
        await stopAll(started, stopTimeoutMs, logger);
        handle.exit(1);
      }
    },
    stop(reason) {
      logger.info({ reason }, "stopping");
      stopping ??= drainAndStop();
      return stopping;
    },
    stage() {
      if (stopping !== undefined) return "stopping";
      return hasStarted ? "running" : "starting";
    },
    fatal(error, event) {
      logger.fatal({ err: error, ...(event !== undefined && { event }) }, "fatal");
      handle.exit(1);
    },
  };
  listen(handle, lifecycle);
  return lifecycle;
}

function named(name: string, part: Part): NamedPart {
  return {
    name,
    start: () => part.start?.(),
    stop: () => part.stop?.(),
    ...(part.stopTimeoutMs === undefined ? {} : { stopTimeoutMs: part.stopTimeoutMs }),
  };
}

async function startAll(parts: readonly NamedPart[], started: NamedPart[], isStopping: () => boolean, logger: Logger) {
  for (const part of parts) {
    if (isStopping()) {
      return;
    }
    // Counted as started first: what failed half-way may hold something that its stop lets go.
    started.push(part);
    await part.start?.();
    logger.info({ part: part.name }, "started");
  }
}

/** Stops what was started, last first; one that fails or hangs does not keep the others from stopping. */
async function stopAll(started: NamedPart[], defaultTimeoutMs: number, logger: Logger): Promise<boolean> {
  let clean = true;
  for (let part = started.pop(); part !== undefined; part = started.pop()) {
    const current = part;
    try {
      await withTimeout(async () => current.stop?.(), current.stopTimeoutMs ?? defaultTimeoutMs);
      logger.info({ part: current.name }, "stopped");
    } catch (error) {
      clean = false;
      logger.error({ err: error, part: current.name }, "stop failed");
    }
  }
  return clean;
}

function listen(handle: ProcessHandle, lifecycle: Lifecycle): void {
  for (const signal of ["SIGTERM", "SIGINT"]) {
    handle.on(signal, () => {
      if (lifecycle.stage() === "stopping") {
        handle.exit(1);
        return;
      }
      lifecycle.stop(signal).catch(lifecycle.fatal);
    });
  }
  for (const event of ["uncaughtException", "unhandledRejection"])
    handle.on(event, (error) => lifecycle.fatal(error, event));
}
