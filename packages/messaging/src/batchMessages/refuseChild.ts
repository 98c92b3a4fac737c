import { refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { readTemplateChildren, type TemplateChild } from "../templates/templateChildren.ts";
import { parseChildId } from "./childMessage.ts";
import { statusOfChild } from "./childView.ts";
import type { BatchMessageStatus } from "./transitions.ts";

interface CalledChild extends Pick<TemplateChild, "account" | "id"> {
  /** Name of the call, as the path has it. */
  readonly call: string;
  readonly nowMs: number;
}

/** Refuses a call on a day or an hour of a template: it goes its way with the template. Throws 409 `INVALID_STATE_TRANSITION`. */
export async function refuseChild(session: Session, { call, ...child }: CalledChild): Promise<void> {
  const from = await findStatusOfChild(session, child);
  if (from === undefined) return;
  const message = `A day or an hour of a template does not take \`${call}\`: it goes its way with the template.`;
  throw refusal("INVALID_STATE_TRANSITION", message, { extra: { from, allowed: [] } });
}

/** Returns the status of a day or an hour of a template; undefined for an id of anything else. */
export async function findStatusOfChild(
  session: Session,
  { account, id, nowMs }: Omit<CalledChild, "call">,
): Promise<BatchMessageStatus | undefined> {
  if (parseChildId(id) === undefined) return undefined;
  const [child] = await readTemplateChildren(session, account, [id]);
  return child && statusOfChild(child, nowMs);
}
