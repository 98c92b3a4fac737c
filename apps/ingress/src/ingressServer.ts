import { defaultSettings } from "@headwater/contracts";
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type KeyCache,
  type LeaseStore,
} from "@headwater/http";
import { checkAuth } from "@headwater/intake/entry/checkAuth";
import { createIntakeCounts } from "@headwater/intake/entry/counts";
import { INTAKE_RATE_CLASS, intakeRoutes } from "@headwater/intake/entry/intakeRoutes";
import { createJudgingGate, createJudgingTurns } from "@headwater/intake/entry/judgingTurns";
import type { IntakePorts } from "@headwater/intake/entry/ports";
import { createReceiptSeal } from "@headwater/intake/entry/receipts";
import { refuseWhenBehind } from "@headwater/intake/entry/refuseWhenBehind";
import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import type { Operation } from "@headwater/intake/operations/operation";
import { operations } from "@headwater/intake/operations/registry";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { type AccountSource, createAccountCache } from "@headwater/intake/pushes/accountCache";
import type { PartnerLists } from "@headwater/intake/pushes/partnerLists";
import { partnerRoute } from "@headwater/intake/pushes/partnerRoute";
import { type Clock, type Logger, type Metrics, watchGates } from "@headwater/kernel";
import { type FrameProducer, topicNamed } from "@headwater/topics";

export interface IngressOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly plainHttp: HttpServerOptions["plainHttp"];
  readonly trustedProxies?: HttpServerOptions["trustedProxies"];
  readonly producer: Pick<FrameProducer, "append" | "state" | "backlog">;
  /** The topic records go to; tests take one of their own. */
  readonly topic?: string;
  readonly keys: KeyCache;
  /** An account by its 24 hex characters, for partners that name it in the path. */
  readonly accounts: AccountSource;
  readonly partnerLists: PartnerLists;
  readonly idempotency: LeaseStore;
  /** Called for each call of a known key once it is answered. */
  readonly onAnswer?: HttpServerOptions["onAnswer"];
  /** Signs receipts. */
  readonly secret: string;
  readonly clock?: Clock;
  readonly tracing?: boolean;
  readonly tls?: HttpServerOptions["tls"];
  readonly slowClients?: HttpServerOptions["slowClients"];
  readonly requestsInFlightMax?: number;
}

const TOPIC = "intake.records";

/** The server of `/api`: every operation of the registry, and checkAuth. */
export function createIngressServer(options: IngressOptions): HttpServer {
  const { logger, metrics, plainHttp, trustedProxies, keys, clock, tracing, tls, slowClients, requestsInFlightMax } =
    options;
  const server = createHttpServer({
    logger,
    metrics,
    plainHttp,
    keys,
    rateClasses: {
      [INTAKE_RATE_CLASS]: {
        perSecond: ({ settings }) => settings.limits.intakePerSecond,
        usual: defaultSettings.limits.intakePerSecond,
      },
    },
    defaultRateClass: INTAKE_RATE_CLASS,
    document: { title: "Headwater intake", version: "1.0", description: DESCRIPTION },
    ...(clock && { clock }),
    ...(tracing !== undefined && { tracing }),
    ...(tls && { tls }),
    ...(trustedProxies && { trustedProxies }),
    ...(slowClients && { slowClients }),
    ...(requestsInFlightMax !== undefined && { requestsInFlightMax }),
    ...(options.onAnswer && { onAnswer: options.onAnswer }),
  });
  const ports = createPorts(options);
  const accounts = createAccountCache(options.accounts, clock);
  const partnerPorts = { ...ports, keys, accounts, lists: options.partnerLists };
  server.add(
    checkAuth,
    ...operations.flatMap((operation: Operation) => intakeRoutes(operation, ports)),
    ...partnerEndpoints.map((endpoint) => partnerRoute(endpoint, partnerPorts)),
  );
  return server;
}

const DESCRIPTION =
  "Accepts marketing data. A 202 confirms that every accepted record is in the log; its receipt tracks the outcome.";

function createPorts({ logger, metrics, producer, idempotency, secret, topic = TOPIC }: IngressOptions): IntakePorts {
  const judging = createJudgingGate();
  watchGates(metrics, { judging });
  return {
    logger,
    idempotency,
    partitions: topicNamed(TOPIC).partitions,
    sealReceipt: createReceiptSeal(TOPIC, secret),
    counts: createIntakeCounts(metrics),
    turns: createJudgingTurns(judging),
    refuseWhenBehind: (account) => refuseWhenBehind(producer, account),
    append: (operation, append) => producer.append({ topic, subject: subjectOf(operation), ...append }),
  };
}
