import { createAlertMetrics } from "@headwater/automation/alerts/alertMetrics";
import { createAlertMails } from "@headwater/automation/alerts/deliverMails";
import { createEvaluations } from "@headwater/automation/alerts/evaluateAlerts";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { createMailer } from "@headwater/jobs/notices/mailer";
import { type Clock, createOutbound, type Lifecycle, type Logger, type Metrics, type Sealer } from "@headwater/kernel";
import type { Renderer } from "@headwater/messaging/renderer/createRenderer";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { z } from "zod";
import type { automationConfig } from "./config.ts";

export interface AlertsOptions {
  readonly config: z.output<typeof automationConfig>;
  readonly lifecycle: Pick<Lifecycle, "use">;
  readonly postgres: Postgres;
  readonly clickHouse: ClickHouse;
  readonly renders: Renderer;
  readonly sealer: Sealer | undefined;
  /** Instant (milliseconds since 1970) from before which ClickHouse has everything; 0 while that is not known. */
  readonly storesAsOf: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Runs what evaluates alerts, and what hands over their mails. Nothing is evaluated out of a ClickHouse that was put back or replaced. */
export function useAlerts({ config, lifecycle, metrics, ...options }: AlertsOptions): void {
  const { postgres, clickHouse, renders, sealer, clock, logger } = options;
  const counts = createAlertMetrics(metrics);
  const witness = createClickHouseWitness({
    stores: createWitnessStores(postgres, clickHouse),
    establishes: false,
    ...{ clock, logger },
  });
  const evaluations = createEvaluations({
    ...{ postgres, clock, logger, storesAsOf: options.storesAsOf },
    clickHouse: withWitness(clickHouse, witness),
    onEvaluated: (outcome) => counts.evaluations.inc({ outcome }),
    onNotice: (kind) => counts.notices.inc({ kind }),
  });
  const outbound = createOutbound({ allow: config.HEADWATER_PRIVATE_TRANSPORTS });
  const handovers = createHandovers(postgres, createTransportOpener({ outbound, sealer, renders, clock, logger }));
  const { HEADWATER_SMTP_URL: url, HEADWATER_SMTP_FROM: from } = config;
  const mails = createAlertMails({
    ...{ postgres, handovers, renders, from, clock, logger },
    sendMail: url === undefined ? undefined : createMailer({ url, from }),
    onOutcome: (outcome) => counts.mails.inc({ outcome }),
  });
  lifecycle.use("transports", {
    stop: async () => {
      await handovers.close();
      await outbound.close();
    },
  });
  lifecycle.use("alerts", evaluations);
  lifecycle.use("mails of alerts", mails);
}
