import { defaultSettings } from "@headwater/contracts";
import { createHttpServer, type HttpServer, type HttpServerOptions, type RateClass } from "@headwater/http";
import { type Logger, type Metrics, systemClock } from "@headwater/kernel";
import { createFileStore, createJobQueue, createOffsetsWatch } from "@headwater/stores";
import { createAccountingMetrics } from "./accounting/accountingMetrics.ts";
import { readAccounting } from "./accounting/readAccounting.ts";
import { createAttributeRulesCache } from "./attributes/rulesCache.ts";
import { createMergeMarks } from "./audiences/mergeMarks.ts";
import { routesOf } from "./groups/index.ts";
import type { ServicePorts } from "./ports.ts";
import { createFreshness } from "./settled/freshness.ts";
import { createLagMetrics } from "./settled/lagMetrics.ts";
import { readLags } from "./settled/lags.ts";
import { STREAM_GROUPS } from "./settled/streams.ts";

export interface ServiceOptions
  extends Pick<ServicePorts, "postgres" | "clickHouse" | "keys" | "secret" | "highWatermarks" | "producer"> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly plainHttp: HttpServerOptions["plainHttp"];
  readonly trustedProxies?: HttpServerOptions["trustedProxies"];
  readonly clock?: ServicePorts["clock"];
  readonly tracing?: boolean;
  readonly tls?: HttpServerOptions["tls"];
  /** Where the worker writes files. */
  readonly filesFolder?: string;
  /** How long `?after=` waits; default 5 s. */
  readonly afterTimeoutMs?: number;
}

const { limits } = defaultSettings;
const FILES_FOLDER = ".headwater/files";
const AFTER_TIMEOUT_MS = 5_000;
/** Each of a key; `usual` stands on answers to callers without one. */
const rateClasses: Readonly<Record<string, RateClass>> = {
  read: { perSecond: ({ settings }) => settings.limits.readPerSecond, usual: limits.readPerSecond },
  write: { perSecond: ({ settings }) => settings.limits.writePerSecond, usual: limits.writePerSecond },
  jobStart: { perSecond: ({ settings }) => settings.limits.jobStartPerSecond, usual: limits.jobStartPerSecond },
  audienceCount: {
    perSecond: ({ settings }) => settings.limits.audienceCountPerSecond,
    usual: limits.audienceCountPerSecond,
  },
};

/** The server of `/v2`. */
export function createServiceServer(options: ServiceOptions): HttpServer {
  const { logger, metrics, plainHttp, trustedProxies, keys, clock = systemClock, tracing, tls } = options;
  const server = createHttpServer({
    logger,
    metrics,
    plainHttp,
    keys,
    clock,
    rateClasses,
    defaultRateClass: "read",
    document: { title: "Headwater v2", version: "1.0", description: DESCRIPTION },
    ...(tracing !== undefined && { tracing }),
    ...(tls && { tls }),
    ...(trustedProxies && { trustedProxies }),
  });
  const { postgres, clickHouse, secret, highWatermarks, producer, afterTimeoutMs = AFTER_TIMEOUT_MS } = options;
  watchStreams(options, { postgres, highWatermarks, clock });
  const progress = createOffsetsWatch(postgres, STREAM_GROUPS, clock);
  const freshness = createFreshness({ postgres, progress, highWatermarks, clock });
  server.add(
    ...routesOf({
      postgres,
      queue: createJobQueue(postgres),
      files: createFileStore({ folder: options.filesFolder ?? FILES_FOLDER }),
      progress,
      clickHouse,
      keys,
      clock,
      logger,
      producer,
      secret,
      highWatermarks,
      afterTimeoutMs,
      freshness,
      attributeRules: createAttributeRulesCache(postgres, clock),
      mergeMarks: createMergeMarks({ clickHouse }),
    }),
  );
  return server;
}

/** A scrape has no caller that could hang up. */
function watchStreams(
  { metrics, logger }: ServiceOptions,
  ports: Pick<ServicePorts, "postgres" | "highWatermarks" | "clock">,
): void {
  const { clock } = ports;
  const { signal } = new AbortController();
  createLagMetrics({ metrics, logger, clock, readLags: () => readLags(ports) });
  createAccountingMetrics({ metrics, logger, clock, read: (range) => readAccounting(range, ports, signal) });
}

const DESCRIPTION =
  "Reads contacts, lists, orders and activities, counts audiences, and follows accepted work to its end.";
