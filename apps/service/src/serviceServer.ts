import { createStoredApiKeys } from "@headwater/accounts/apiKeys/apiKeyStore";
import { createFreshness } from "@headwater/api/consistency/freshness";
import { createStreamChecks } from "@headwater/api/consistency/streamChecks";
import { createWaits } from "@headwater/api/consistency/waits";
import { createCursors } from "@headwater/api/paging/cursors";
import type { ResourceRoutes } from "@headwater/api/resources/resourceDefinition";
import { createAliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import { createSeenNames } from "@headwater/audiences/criteria/neverSeen";
import { viewAlertsOf } from "@headwater/automation/alerts/postgres";
import { createMapper } from "@headwater/automation/dataJobs/createMapper";
import { defaultSettings, GROUP_NAMES } from "@headwater/contracts";
import { createHttpServer, type HttpServer, type HttpServerOptions, type RateClass, type Route } from "@headwater/http";
import { createAccountingMetrics } from "@headwater/intake/accounting/accountingMetrics";
import { readAccounting } from "@headwater/intake/accounting/readAccounting";
import { createLagMetrics } from "@headwater/intake/lags/lagMetrics";
import { readLags } from "@headwater/intake/lags/lags";
import { readParked } from "@headwater/intake/receipts/receipts";
import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createJobQueue } from "@headwater/jobs/queue/jobQueue";
import {
  createFlowContext,
  createOutbound,
  type FairGate,
  type FlowContext,
  type Logger,
  type Metrics,
  SYSTEM_FLOW,
  systemClock,
} from "@headwater/kernel";
import { messageJobCancels } from "@headwater/messaging/batchMessages/jobCancels";
import { createTxtResolver } from "@headwater/messaging/check/dns/txtLookups";
import { createAccountHooks } from "@headwater/messaging/messages/accountHooks";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { withSlowStatement } from "@headwater/postgres/connection/failures";
import { createOffsetsWatch } from "@headwater/postgres/streams/offsetsWatch";
import { createAttributeRulesCache } from "@headwater/records/attributes/rulesCache";
import type { ServicePorts } from "./ports.ts";
import { servedRoutes } from "./routes.ts";
import { createShares } from "./shares.ts";

export interface ServiceOptions
  extends Pick<ServicePorts, "postgres" | "clickHouse" | "keys" | "secret" | "highWatermarks" | "producer"> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly plainHttp: HttpServerOptions["plainHttp"];
  readonly trustedProxies?: HttpServerOptions["trustedProxies"];
  readonly clock?: ServicePorts["clock"];
  readonly tracing?: boolean;
  readonly tls?: HttpServerOptions["tls"];
  /** Store of files, which worker and service share. */
  readonly files?: ServicePorts["files"];
  /** Absent: secrets of storages and webhooks are refused. */
  readonly sealer?: ServicePorts["sealer"];
  /** True when the installation has a server for mails. Default false. */
  readonly canMail?: boolean;
  /** Default: public addresses alone. */
  readonly outbound?: ServicePorts["outbound"];
  /** Default: public addresses alone. */
  readonly transportOutbound?: ServicePorts["transportOutbound"];
  /** Default: the system's name servers. */
  readonly resolveTxt?: ServicePorts["resolveTxt"];
  /** Default: threads of the server's own. */
  readonly renders?: ServicePorts["renders"];
  readonly storages?: ServicePorts["storages"];
  /** Default: processes of the server's own. */
  readonly mapper?: ServicePorts["mapper"];
  /** Default: the tracker of an installation on this machine. */
  readonly trackingUrl?: string;
  /** Default: the log cannot be read, and lags of what nobody has counted are by frames. */
  readonly sampleLog?: ServicePorts["sampleLog"];
  /** Limit of the wait for `?after=`; default 5 s. */
  readonly afterTimeoutMs?: number;
  /** Carries the account whose work they do to the stores. */
  readonly flows?: FlowContext;
  /** Called for each call of a known key that was refused or failed. */
  readonly onRefusal?: NonNullable<HttpServerOptions["onAnswer"]>;
  /** Bounds waits for receipts and counts. */
  readonly waits?: FairGate;
  /** Plain resources next to those of every service. */
  readonly resources?: readonly ResourceRoutes[];
}

const { limits } = defaultSettings;
const FILES_FOLDER = ".headwater/files";
const AFTER_TIMEOUT_MS = 5_000;
const TRACKING_URL = "http://127.0.0.1:8450";
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
  const { onRefusal } = options;
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
    ...(onRefusal && { onAnswer: (answered) => answered.code !== undefined && onRefusal(answered) }),
  });
  const { postgres, clickHouse, secret, highWatermarks, producer, afterTimeoutMs = AFTER_TIMEOUT_MS } = options;
  const flows = options.flows ?? createFlowContext();
  const waits = createWaits({ gate: options.waits ?? createShares().waits, clock });
  const { sampleLog = async () => undefined } = options;
  watchStreams(options, { postgres, highWatermarks, sampleLog, clock, waits });
  const watch = createOffsetsWatch(postgres, GROUP_NAMES, clock);
  const progress = { offsets: () => flows.run(SYSTEM_FLOW, () => watch.offsets()) };
  const streamChecks = createStreamChecks({ session: postgres, flows, readParked });
  const check = createFreshness({ progress, streamLooks: streamChecks, highWatermarks, clock });
  const freshness = () => flows.run(SYSTEM_FLOW, check);
  const routes = servedRoutes(
    {
      postgres,
      progress,
      streamLooks: streamChecks,
      waits,
      clickHouse,
      keys,
      clock,
      logger,
      producer,
      secret,
      ...jobPortsOf(options),
      cursors: createCursors(secret),
      highWatermarks,
      sampleLog,
      isDevelopment: plainHttp === "loopback",
      afterTimeoutMs,
      freshness,
      attributeRules: createAttributeRulesCache(postgres, clock),
      aliasRevisions: createAliasRevisions({ clickHouse }),
      seenNames: createSeenNames(),
    },
    options.resources,
  );
  server.add(...routes.map((route) => asCaller(route, flows)));
  return server;
}

/** Returns what starts jobs and reaches their files, here and outside, and the stores behind ports. */
function jobPortsOf({ postgres, files = createFileStore({ folder: FILES_FOLDER }), ...options }: ServiceOptions) {
  const { sealer, canMail = false, outbound = createOutbound({ allow: [] }) } = options;
  const { transportOutbound = createOutbound({ allow: [] }), resolveTxt = createTxtResolver() } = options;
  const { renders = createRenderer(), storages = createStorageSandbox(), trackingUrl = TRACKING_URL } = options;
  const { mapper = createMapper() } = options;
  return {
    queue: createJobQueue(),
    apiKeys: createStoredApiKeys(postgres),
    accountHooks: createAccountHooks({ renders }),
    alertsOf: viewAlertsOf,
    jobCancels: messageJobCancels,
    files,
    sealer,
    canMail,
    outbound,
    transportOutbound,
    resolveTxt,
    renders,
    storages,
    mapper,
    trackingUrl,
  };
}

/** Runs a route as work of its caller's account: what it asks of the stores is counted against that account's share. */
function asCaller(route: Route, flows: FlowContext): Route {
  return {
    ...route,
    run: (call) =>
      flows.run(call.caller?.account.number ?? SYSTEM_FLOW, async () => {
        try {
          return await route.run(call);
        } catch (error) {
          throw withSlowStatement(error);
        }
      }),
  };
}

/** A scrape has no caller that could hang up. */
function watchStreams(
  { metrics, logger }: ServiceOptions,
  ports: Pick<ServicePorts, "postgres" | "highWatermarks" | "sampleLog" | "clock" | "waits">,
): void {
  const { clock } = ports;
  const { signal } = new AbortController();
  createLagMetrics({ metrics, logger, clock, readLags: () => readLags(ports) });
  createAccountingMetrics({ metrics, logger, clock, read: (range) => readAccounting(range, ports, signal) });
}

const DESCRIPTION = "Reads contacts, lists, orders and activities, counts audiences, and tracks accepted records.";
