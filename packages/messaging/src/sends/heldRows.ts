import { HELD_MS } from "./sendRow.ts";

/** Batch sends that wait with their paused message: tests of a message go their own way. */
export const HELD = `kind = 'b' AND state IN ('pending', 'deferred') AND due_at >= ${HELD_MS}`;
/** Held sends that no sender has intended yet. */
export const HELD_UNTRIED = `${HELD} AND state = 'pending' AND attempts = 0`;
/** Time of a held send that goes on: one that our side failed is due at once, and one that waited asks settings that may have changed. */
export const FREE_DUE = `CASE WHEN reason IN ('transport', 'rate', 'quiet-hours') THEN LEAST(created_at, due_at - ${HELD_MS})
  ELSE due_at - ${HELD_MS} END`;
