import { INTAKE_TOPICS } from "@headwater/contracts";
import { readIntakePayload } from "@headwater/postgres/outbox/intakePayload";
import type { Codec } from "@headwater/topics";
import { subjectOf } from "../operations/jsonSchema.ts";
import { loggedOperations } from "../operations/registry.ts";
import type { Encode } from "./toMessages.ts";

const ACTIVITIES = "createContactactivities";
const subjects: ReadonlyMap<string, string> = new Map(loggedOperations.map((one) => [one.name, subjectOf(one)]));
const isIntake = (topic: string) => INTAKE_TOPICS.some((name) => name === topic);

/** Encodes rows of the outbox: change frames as they stand, records that we write ourselves as intake's frames. */
export function createRelayEncoding(codec: Pick<Codec, "encodeText" | "frame">): Encode {
  return (topic, payload) => {
    if (!isIntake(topic)) return codec.encodeText(topic, payload);
    const { account, records, operation = ACTIVITIES } = readIntakePayload(payload);
    const subject = subjects.get(operation);
    if (subject === undefined) throw new TypeError(`no operation is called ${operation}`);
    return codec.frame(subject, account, records);
  };
}
