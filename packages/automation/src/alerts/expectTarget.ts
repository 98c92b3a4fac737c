import { refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { type AlertTarget, entityOf, targetProblems } from "./alert.ts";
import { readTargets } from "./postgres.ts";

/** Throws 422 `VALIDATION_ERROR` with everything that is wrong with what an alert watches: its message or template must exist. */
export async function expectTarget(session: Session, account: number, target: AlertTarget): Promise<void> {
  const problems = targetProblems(target);
  const found = problems.length === 0 ? await unknownTargets(session, account, target) : problems;
  if (found.length > 0) throw refusal("VALIDATION_ERROR", "The alert is invalid.", { details: found });
}

async function unknownTargets(session: Session, account: number, target: AlertTarget): Promise<ErrorDetail[]> {
  const id = target.msID ?? target.mdtID;
  if (id === null) return [];
  const known = await readTargets(session, account, [target]);
  if (known.has(id)) return [];
  const [path, noun] = entityOf(target) === "batch-message" ? ["/msID", "batch message"] : ["/mdtID", "template"];
  return [{ path, code: "unknown_reference", message: `No ${noun} has this id.` }];
}
