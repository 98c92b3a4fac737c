import { flushCompileCache } from "node:module";
import { type Clock, systemClock } from "./clock.ts";
import { createLifecycle, type Lifecycle, type Part, type ProcessHandle } from "./lifecycle.ts";
import { createLogger, type Logger, type LogLevel } from "./logger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { type OperationsOptions, type OperationsServer, startOperations } from "./operationsServer.ts";
import { startTracing, type Tracing } from "./tracing.ts";

/** The variables that every process of ours takes. */
export interface ProcessConfig {
  readonly LOG_LEVEL: LogLevel;
  readonly HEADWATER_OPERATIONS_HOST: string;
  readonly HEADWATER_OPERATIONS_PORT: number;
  /** Seconds for which the process goes on after SIGTERM, not ready any more; default 0. */
  readonly HEADWATER_DRAIN_SECONDS?: number;
}

export interface ProcessOptions {
  /** Names its log lines: "ingress". */
  readonly name: string;
  readonly config: ProcessConfig;
  /** Default `createLogger` on standard output. */
  readonly logger?: Logger;
  /** Default `process`. */
  readonly process?: ProcessHandle;
}

/** The mechanisms that every process has, whatever it does. */
export interface Process {
  /** `headwater-<name>`: its name in Kafka, in Postgres and in traces. */
  readonly applicationName: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly tracing: Tracing;
  readonly lifecycle: Lifecycle;
  /**
   * Starts the operations server and then the parts in the order in which they were added; SIGTERM and SIGINT stop all in reverse.
   * @param health the checks of `/ready`.
   */
  start(health: OperationsOptions["health"]): Promise<void>;
}

/**
 * Builds a process: logger, metrics, tracing, life cycle with signals, and operations server. The operations server starts first and stops
 * last but for tracing, so that `/ready` says why a start takes long and that a stop is under way.
 */
export function createProcess({ name, config, ...input }: ProcessOptions): Process {
  const applicationName = `headwater-${name}`;
  const logger = input.logger ?? createLogger({ name, level: config.LOG_LEVEL });
  const metrics = createMetrics();
  const lifecycle = createLifecycle(logger, {
    drainMs: 1_000 * (config.HEADWATER_DRAIN_SECONDS ?? 0),
    ...(input.process && { process: input.process }),
  });
  const tracing = startTracing({ serviceName: applicationName });
  const { HEADWATER_OPERATIONS_HOST: host, HEADWATER_OPERATIONS_PORT: port } = config;
  let health: OperationsOptions["health"] = () => ({});
  const operations = operationsPart({ host, port, metrics, stage: lifecycle.stage, health: () => health() });
  lifecycle.use("tracing", tracing);
  lifecycle.use("operations", operations);
  return {
    applicationName,
    logger,
    metrics,
    clock: systemClock,
    tracing,
    lifecycle,
    async start(checks) {
      health = checks;
      // Every module is loaded now, and nobody waits yet. Node itself writes it at an orderly exit, which a kill leaves out.
      flushCompileCache();
      await lifecycle.start();
      if (lifecycle.stage() === "running") logger.info({ operationsPort: operations.port() }, `${name} started`);
    },
  };
}

function operationsPart(options: OperationsOptions): Part & { port(): number | undefined } {
  let server: OperationsServer | undefined;
  return {
    port: () => server?.port,
    async start() {
      server = await startOperations(options);
    },
    stop: () => server?.stop(),
  };
}
