import type { RejectStatus } from "@headwater/contracts";
import { type Account, type DeadLetterSelection, type DeadLetterStatus, parseTime } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import type { DeadLetterFilters } from "./deadLetters.ts";
import { readRejectStatuses } from "./rejects.ts";

export type SelectionFilters = Omit<DeadLetterFilters, "statuses">;

/** A selection as the store asks; its times are read in the account's zone. Throws 422 `VALIDATION_ERROR` for an empty range of times. */
export function toFilters({ from, to, ...rest }: DeadLetterSelection, account: Account): SelectionFilters {
  const timeOf = (text: string | undefined) =>
    text === undefined ? undefined : parseTime(text, account.settings.timezone);
  const range = { from: timeOf(from), to: timeOf(to) };
  refuseEmptyRange(range, "/select/to");
  return { ...rest, account: account.number, ...range };
}

/** Throws 422 `VALIDATION_ERROR` for a range that ends where it starts, or before: nothing can be in it. @param path of its end. */
export function refuseEmptyRange({ from, to }: Pick<SelectionFilters, "from" | "to">, path: string): void {
  if (from === undefined || to === undefined || from < to) return;
  const message = "The range ends before anything can be in it: `from` must be before `to`.";
  throw refusal("VALIDATION_ERROR", message, { details: [{ path, code: "out_of_range", message }] });
}

/**
 * Records that are named one by one must be there, and in a state that allows what is asked for; asking again for what was
 * done is no error. Throws 404 `RECORD_NOT_FOUND`, 409 `INVALID_STATE_TRANSITION`.
 * @param done the state that the call leads to.
 */
export async function refuseWrongStates(
  session: Session,
  { account, ids }: SelectionFilters,
  done: DeadLetterStatus,
): Promise<void> {
  if (ids === undefined) return;
  const rows = await readRejectStatuses(
    session,
    ids.map((recordId) => ({ account, recordId })),
  );
  const statuses = new Map(rows.map(({ recordId, status }) => [recordId, status]));
  const missing = ids.filter((id) => !isVisible(statuses.get(id)));
  if (missing.length > 0) throw unknownDeadLetter(missing);
  const wrong = ids.find((id) => statuses.get(id) !== "open" && statuses.get(id) !== done);
  if (wrong === undefined) return;
  const extra = { from: statuses.get(wrong), allowed: ["open"] };
  throw refusal("INVALID_STATE_TRANSITION", `The dead letter ${wrong} is ${extra.from}, not open.`, { extra });
}

/** One that was parked and then dealt with is no dead letter. */
export function isVisible(status: RejectStatus | undefined): boolean {
  return status !== undefined && status !== "applied" && status !== "skipped";
}

export function unknownDeadLetter(ids: readonly string[] = []) {
  const details = ids.map((id) => ({
    path: "/select/ids",
    code: "bad_value",
    message: `No dead letter has the id ${id}.`,
  }));
  return refusal("RECORD_NOT_FOUND", "The dead letter does not exist.", { details });
}
