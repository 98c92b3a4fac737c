import { refusal } from "@headwater/http";
import type { evaluateCall } from "./transitions.ts";

type Refused = Extract<ReturnType<typeof evaluateCall>, { kind: "refused" }>;

/** Makes the 409 `INVALID_STATE_TRANSITION` of a call that the message's state does not take. */
export function notNow(call: string, { from, allowed }: Pick<Refused, "from" | "allowed">) {
  return refusal("INVALID_STATE_TRANSITION", `A message that is ${from} does not take \`${call}\`.`, {
    extra: { from, allowed },
  });
}
