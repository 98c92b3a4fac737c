import type { Metrics } from "@headwater/kernel";
import { mailOutcomes } from "./deliverMails.ts";
import { evaluationOutcomes } from "./evaluateAlerts.ts";

const noticeKinds = ["raised", "reminded", "cleared"] as const;

/** Creates the metrics of alerts. */
export function createAlertMetrics(metrics: Metrics) {
  return {
    evaluations: metrics.counter({
      name: "headwater_alert_evaluations_total",
      help: "Evaluations of the alerts of an account, by outcome. Alert on `failed`.",
      labels: ["outcome"],
      values: { outcome: evaluationOutcomes },
    }),
    notices: metrics.counter({
      name: "headwater_alert_notices_total",
      help: "Alerts that were raised, reminded of or cleared.",
      labels: ["kind"],
      values: { kind: noticeKinds },
    }),
    mails: metrics.counter({
      name: "headwater_alert_mails_total",
      help: "Attempts to hand over a mail of an alert, by outcome; `unsent`: there is no transport and no server.",
      labels: ["outcome"],
      values: { outcome: mailOutcomes },
    }),
  };
}
