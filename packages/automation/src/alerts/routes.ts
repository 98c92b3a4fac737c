import { defineResource } from "@headwater/api/resources/defineResource";
import type { ResourcePorts, Viewing, Writing } from "@headwater/api/resources/resourceDefinition";
import type { Route } from "@headwater/http";
import { newAlertId } from "@headwater/kernel";
import type { RoutePorts } from "@headwater/messaging/ports";
import { z } from "zod";
import {
  ALERTS_MAX,
  alertBody,
  alertExample,
  alertRequestExample,
  alertShape,
  alertView,
  entityOf,
  PERIOD_MINUTES_DEFAULT,
  targetId,
} from "./alert.ts";
import { expectTarget } from "./expectTarget.ts";
import { publishWithdrawn } from "./notices.ts";
import { alerts, evaluateSoon, lockAlerts, readAlert, resetAlert, type StoredAlert } from "./postgres.ts";
import { simulateAlert } from "./routes/simulateAlert.ts";

type AlertPorts = ResourcePorts & Pick<RoutePorts, "clickHouse" | "freshness">;

type Members = Omit<
  StoredAlert,
  "account" | "id" | "createdAt" | "updatedAt" | "state" | "since" | "value" | "asOf" | "lastRaised" | "raisedAt"
>;

/** Returns what an alert watches, without whom it notifies. */
function watchedOf({ type: kind, msID: ms, mdtID: mdt, enabled: on, conditions: all, period: minutes }: Members) {
  return JSON.stringify([kind, ms, mdt, on, all, minutes]);
}

const plainRoutes = defineResource({
  resource: "alerts",
  noun: "alert",
  table: alerts,
  shape: alertShape,
  example: alertExample,
  toRecord: (row, _: Viewing<AlertPorts>) => alertView(readAlert(row)),
  // What evaluations leave is no change of the alert.
  versioned: (row: StoredAlert) => [watchedOf(row), row.notify],
  lock: lockAlerts,
  list: {
    operationId: "listAlerts",
    summary: "Lists alerts in order of creation.",
    sorts: { ct: "createdAt", lm: "updatedAt", type: "type" },
    filters: {
      msID: targetId,
      mdtID: targetId,
      entity: z.enum(["batch-message", "message-automation"]),
    },
  },
  get: { operationId: "getAlert", summary: "Returns an alert by its id, with its state." },
  create: {
    operationId: "createAlert",
    summary: "Creates an alert: conditions on a number, and addresses that get a mail once they hold.",
    description:
      "It is evaluated every minute over the last `period` minutes. Types of messages take exactly one of `msID` and `mdtID`, types of the account neither.",
    body: alertBody,
    requestExample: alertRequestExample,
    keyOf: newAlertId,
    limit: { code: "VALIDATION_ERROR", path: "", max: () => ALERTS_MAX },
    async toMembers(given, _, { transaction, account, nowMs }) {
      const { msID: ms = null, mdtID: mdt = null } = given;
      await expectTarget(transaction, account, { type: given.type, msID: ms, mdtID: mdt });
      if (given.enabled) await evaluateSoon(transaction, account, nowMs);
      return {
        ...{
          type: given.type,
          entity: entityOf({ msID: ms, mdtID: mdt }),
          msID: ms,
          mdtID: mdt,
          enabled: given.enabled,
        },
        ...{ notify: [...new Set(given.notify)], conditions: JSON.stringify(given.conditions) },
        ...{ period: given.period ?? PERIOD_MINUTES_DEFAULT, revision: 1 },
      };
    },
  },
  update: {
    operationId: "updateAlert",
    summary: "Updates an alert. Absent members stay unchanged.",
    description: "One that watches something else from now on, or is disabled, begins without a state.",
    body: alertBody.partial(),
    requestExample: { conditions: [{ operator: "gt", value: 0.1 }], notify: ["ops@example.com"] },
    async toMembers(given, stored, { transaction, account }) {
      const { type: kind = stored.type, msID: ms = stored.msID, mdtID: mdt = stored.mdtID } = given;
      const target = { type: kind, msID: ms, mdtID: mdt };
      // An alert on a message that was deleted since can still be disabled, or given another target.
      if (kind !== stored.type || ms !== stored.msID || mdt !== stored.mdtID)
        await expectTarget(transaction, account, target);
      const members = {
        ...{ ...target, entity: entityOf(target), enabled: given.enabled ?? stored.enabled },
        notify: given.notify === undefined ? stored.notify : [...new Set(given.notify)],
        conditions: given.conditions === undefined ? stored.conditions : JSON.stringify(given.conditions),
        period: given.period === undefined ? stored.period : (given.period ?? PERIOD_MINUTES_DEFAULT),
        revision: stored.revision,
      };
      return watchedOf(members) === watchedOf(stored) ? members : { ...members, revision: stored.revision + 1 };
    },
    check: async (_, { account, nowMs }) => ({
      async complete(transaction, row, before) {
        if (before === undefined || row.revision === before.revision) return {};
        if (before.raisedAt !== null)
          await publishWithdrawn(
            transaction,
            { account, nowMs },
            { alert: readAlert(before), raisedAt: before.raisedAt },
          );
        await resetAlert(transaction, { account, key: row.id }, nowMs);
        if (row.enabled) await evaluateSoon(transaction, account, nowMs);
        return {};
      },
    }),
  },
  delete: {
    operationId: "deleteAlert",
    summary: "Deletes an alert.",
    async release({ transaction, account, nowMs }: Writing<AlertPorts>, row) {
      const { raisedAt } = row;
      if (raisedAt !== null)
        await publishWithdrawn(transaction, { account, nowMs }, { alert: readAlert(row), raisedAt });
      return {};
    },
  },
});

export function alertRoutes(ports: AlertPorts): Route[] {
  return [...plainRoutes(ports), simulateAlert(ports)];
}
