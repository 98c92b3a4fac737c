import { INTAKE_TOPICS } from "@headwater/contracts";
import { readIntakePayload } from "@headwater/postgres/outbox/intakePayload";
import type { Codec } from "@headwater/topics";
import { createContactactivities } from "../operations/createContactactivities/createContactactivities.ts";
import { subjectOf } from "../operations/jsonSchema.ts";
import type { Encode } from "./toMessages.ts";

const ACTIVITIES = subjectOf(createContactactivities);
const isIntake = (topic: string) => INTAKE_TOPICS.some((name) => name === topic);

/** Encodes rows of the outbox: change frames as they stand, activities that a sender wrote as intake's frames. */
export function createRelayEncoding(codec: Pick<Codec, "encodeText" | "frame">): Encode {
  return (topic, payload) => {
    if (!isIntake(topic)) return codec.encodeText(topic, payload);
    const { account, records } = readIntakePayload(payload);
    return codec.frame(ACTIVITIES, account, records);
  };
}
