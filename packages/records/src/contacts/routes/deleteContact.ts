import { successShape } from "@headwater/api/answers/success";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import { z } from "zod";
import { retainValues } from "../../attributes/retain.ts";
import { noChangeEvents } from "../../fold/foldEvents.ts";
import type { FoldState } from "../../fold/foldState.ts";
import type { RoutePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import type { Origin } from "../contactIndex.ts";
import { contactParams } from "../contactShape.ts";
import { contactByKey } from "../findInState.ts";
import type { Contact } from "../model.ts";

const deleteAnswer = successShape.extend({ jobId: z.string(), message: z.string() });
const deleteExample = {
  success: true,
  jobId: "65f0c0ffee65f0c0ffee0001",
  message: "The contact is erased. The job removes its remaining data; Kafka deletes its records within 7 days.",
};

interface Erasure {
  readonly primaryKey: string;
  readonly once: OnceCall;
  /** The header. */
  readonly ifMatch: string | undefined;
}

/**
 * Erases the contact: it is gone from Postgres with this answer and leaves hashes of its identifiers, so that no record of before
 * brings it back. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`.
 */
function eraseOneContact(
  { primaryKey, once, ifMatch }: Erasure,
  ports: Pick<RoutePorts, "postgres" | "clock" | "secret" | "queue">,
): Promise<Answer> {
  const { account, id: createdBy } = once.caller;
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
          madeBy: createdBy,
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

export function deleteContact(ports: WritePorts & Pick<RoutePorts, "queue">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/contacts/{primary_key}",
    operationId: "deleteContact",
    summary: "Erases a contact and all of its data.",
    description:
      "Reads no longer return the contact; with the receipt of the header `Headwater-Receipt` as `after`, neither do counts and searches. The job removes its data from rejected records, stored responses, files, activities and history. Late or replayed records never resurrect an erased contact; newer ones create a new contact. Kafka deletes its records by retention, within 7 days.",
    tags: ["contacts"],
    answers: {
      200: { description: "The contact is erased.", schema: deleteAnswer, example: deleteExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    personScope: "erasures:write",
    dryRun: "rolledBack",
    category: "System",
    ifMatch: true,
    params: contactParams,
    handler: ({ params, once, header }) =>
      eraseOneContact({ primaryKey: params.primary_key, once, ifMatch: header("if-match") }, ports),
  });
}
