import { type FoldState, noChangeEvents } from "@headwater/domain";
import type { Contact, Origin } from "@headwater/domain/contact";
import type { Answer } from "@headwater/http";
import { startJob } from "@headwater/stores/jobs";
import { retainValues } from "../../attributes/retain.ts";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { contactByKey } from "../findInState.ts";
import { deleteExample } from "./schema.ts";

export interface Erasure {
  readonly primaryKey: string;
  readonly once: OnceCall;
  /** The header. */
  readonly ifMatch: string | undefined;
}

/**
 * Erases the contact: it is gone from Postgres with this answer and leaves hashes of its identifiers, so that no record of before
 * brings it back. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`.
 */
export function eraseOneContact(
  { primaryKey, once, ifMatch }: Erasure,
  ports: Pick<ServicePorts, "postgres" | "clock" | "secret" | "queue">,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
  const key = contactByKey(primaryKey, account, ifMatch);
  const fold = (state: FoldState, { version }: Origin) => {
    const contact = key.in(state);
    state.erase(contact, version);
    return { contact, version, changeEvents: noChangeEvents };
  };
  return writeOnce(
    once,
    {
      kind: "v2",
      reads: key.reads,
      fold,
      async answer({ contact, version }, transaction) {
        await retainValues(transaction, account, contact);
        const jobId = await startJob(transaction, ports.queue, {
          account: account.number,
          jobName: "DeleteContact",
          input: { version, identifiers: identifiersOf(contact) },
          totalItems: 1,
          madeBy,
          nowMs: ports.clock.nowMs(),
        });
        return { status: 200, body: { ...deleteExample, jobId } };
      },
    },
    ports,
  );
}

function identifiersOf({ cid, identifiers }: Contact) {
  const all = [...identifiers].flatMap(([name, values]) => values.map((value) => ({ name, value })));
  return [...all, { name: "cID", value: cid }];
}
