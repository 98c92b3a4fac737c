import { type LogCategory, logLevels } from "@headwater/contracts";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { TemplateId } from "./eventTriggers.ts";

const CATEGORY: LogCategory = "Automated messages";
const MESSAGE =
  "Activities of this minute were too expensive to compare with the conditions of the template's event trigger. " +
  "The template was not sent for them.";
const MINUTE_MS = 60_000;

/** The id follows from the template, so that a minute has one entry of it, whichever batches and projectors report it. */
const insertStatement = {
  name: "account_log_uncompared_triggers",
  text: `INSERT INTO account_log (account, at, id, category, level, action, message, target)
    SELECT r.account, $3, md5('uncompared ' || r.mdt_id), $4, $5, 'compareEventTrigger', $6, t.key
      FROM unnest($1::int[], $2::text[]) AS r (account, mdt_id)
      LEFT JOIN automation_templates t ON t.account = r.account AND t.mdt_id = r.mdt_id
      ORDER BY r.account, r.mdt_id
    ON CONFLICT DO NOTHING`,
};

/** Tells accounts that activities were not compared with event triggers: one entry of their log a minute for each template. */
export async function noteUncomparedTriggers(
  transaction: Transaction,
  triggers: readonly TemplateId[],
  nowMs: number,
): Promise<void> {
  if (triggers.length === 0) return;
  await transaction.execute(insertStatement, [
    plainArray(triggers, ({ account }) => account),
    textArray(triggers, ({ mdtId }) => mdtId),
    nowMs - (nowMs % MINUTE_MS),
    CATEGORY,
    logLevels.indexOf("Warning"),
    MESSAGE,
  ]);
}
