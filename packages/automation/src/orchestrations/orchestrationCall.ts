import { storableText } from "@headwater/api/paging/query";
import { refusal } from "@headwater/http";
import { z } from "zod";

const ID_CHARACTERS_MAX = 1_024;

const orchestrationID = storableText(ID_CHARACTERS_MAX);

/** Path of a route of one orchestration. */
export const orchestrationParams = z.strictObject({ orchestrationID });

/** Path of a route of a contact's runs. */
export const runParams = z.strictObject({ orchestrationID, primary_key: z.string().min(1) });

export function unknownOrchestration() {
  return refusal("ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND", "No orchestration has this orchestrationID.");
}

/** Description of the 404 of routes of one orchestration. */
export const UNKNOWN_ORCHESTRATION =
  "ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND: no orchestration has this orchestrationID.";
