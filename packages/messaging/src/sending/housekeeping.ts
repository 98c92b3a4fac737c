import { deleteOldIntentMarks } from "@headwater/guard/consistency/intentMarks";
import { deleteOldTriggeredEvents } from "@headwater/intake/triggers/storedTriggeredEvents";
import type { Session } from "@headwater/postgres/connection/session";
import { deleteOldLostIntents } from "../sends/lostIntents.ts";
import { deleteEndedSends } from "../sends/sendReads.ts";
import { deleteDoneWants } from "../sends/wants.ts";
import { deleteOldRuns } from "../triggers/templateRuns.ts";

const DAY_MS = 86_400_000;
const SENDS_RETENTION_DAYS = 90;
/** Twice as long as the log keeps the record of an activity, which may be read again until then. */
const TRIGGERED_RETENTION_DAYS = 14;
const WANTS_AT_A_TIME = 1_000;

/** Deletes sends that ended long ago, activities that were sent for, and the texts of calls whose sends have all ended. */
export async function deleteOldSends(session: Session, nowMs: number): Promise<void> {
  await deleteEndedSends(session, nowMs - SENDS_RETENTION_DAYS * DAY_MS);
  await deleteOldRuns(session, nowMs - SENDS_RETENTION_DAYS * DAY_MS);
  await deleteOldTriggeredEvents(session, nowMs - TRIGGERED_RETENTION_DAYS * DAY_MS);
  await deleteOldIntentMarks(session);
  await deleteOldLostIntents(session);
  while ((await deleteDoneWants(session, { before: nowMs, rowsMax: WANTS_AT_A_TIME })) === WANTS_AT_A_TIME);
}
