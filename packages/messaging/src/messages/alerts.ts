import { namesAny } from "@headwater/api/paging/listAnswer";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";

export const alertsShape = z.array(z.looseObject({})).describe("Alerts on this message.");

type Alerts = z.output<typeof alertsShape>;

/** Alerts of a message on which nothing watches. */
export const noAlerts: Alerts = [];

/** Reads the alerts on messages and templates of an account, as answers show them, by the id of the message or template. */
export type AlertsOf = (
  session: Session,
  account: number,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Alerts>>;

export interface AlertsPorts {
  /** Alerts are of a context above. */
  readonly alertsOf: AlertsOf;
}

interface AlertsAsked {
  readonly account: number;
  /** Ids of messages, and of templates. */
  readonly ids: readonly string[];
  /** Names of members that are asked for. */
  readonly fields?: string | undefined;
}

/** Reads the `alerts` of messages, unless `fields` leaves them out. @returns the member by the id of a message. */
export async function readAlertsView(
  session: Session,
  { account, ids, fields }: AlertsAsked,
  { alertsOf }: AlertsPorts,
): Promise<(id: string) => { readonly alerts: Alerts }> {
  const isAsked = ids.length > 0 && (fields === undefined || namesAny(fields, ["alerts"]));
  const alerts = isAsked ? await alertsOf(session, account, ids) : new Map<string, Alerts>();
  return (id) => ({ alerts: alerts.get(id) ?? noAlerts });
}
