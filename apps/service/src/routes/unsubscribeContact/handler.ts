import type { Answer } from "@headwater/http";
import { writeContact } from "@headwater/operations";
import { contactByKey } from "../../contacts/findInState.ts";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";

/** It holds until a forced subscribe, also for a channel of which no address is known. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export function unsubscribe(
  primaryKey: string,
  { channel, once }: { readonly channel: string; readonly once: OnceCall },
  ports: Pick<ServicePorts, "postgres" | "clock" | "secret">,
): Promise<Answer> {
  const { account } = once.caller;
  const key = contactByKey(primaryKey, account);
  const attributes = { channels: { [channel]: { subscribeStatus: "unsubscribed" as const } } };
  return writeOnce(
    once,
    {
      kind: "v2",
      lookups: key.lookups,
      fold: (state, origin) => {
        const identifiers = { cID: key.in(state).cid };
        // Attributes an account must declare are no matter here: a channel is none.
        return writeContact(state, { contact: { identifiers, attributes, canBeUpdated: true }, lists: {} }, origin);
      },
      answer: () => ({ status: 200, body: { success: true } }),
    },
    ports,
  );
}
