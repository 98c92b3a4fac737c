import { findRelayHold, sentenceOfHold } from "@headwater/postgres/outbox/relayHold";
import type { Call } from "../call.ts";
import { look, type PartStatus, unknownPart } from "./parts.ts";

const PART = "relay";

/** Checks whether an open transaction keeps change events from being published. */
export async function checkRelay({
  addresses,
  connections,
}: Pick<Call, "addresses" | "connections">): Promise<PartStatus> {
  if (addresses.POSTGRES_URL === undefined) return unknownPart(PART);
  return look(PART, async () => {
    const hold = await connections.withPostgres((postgres) => findRelayHold(postgres));
    if (hold === undefined) return "no open transaction holds it back";
    return { state: "held", detail: sentenceOfHold(hold) };
  });
}
