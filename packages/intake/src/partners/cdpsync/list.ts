import type { z } from "zod";
import type { PartnerList } from "../push.ts";
import { type id, idText, isMembers, wholeOf } from "../reading.ts";

interface Audience {
  readonly audience_id: z.infer<typeof id>;
  readonly audience_name: z.infer<typeof id>;
}

/** An audience's list, found by the audience's id. */
export function listOf({ audience_id, audience_name }: Audience, isCreated: boolean): PartnerList {
  return { externalId: idText(audience_id), name: idText(audience_name), isMade: isCreated };
}

/** The list of ours that a subscription's settings name. */
export function listIdOf(settings: unknown): number | undefined {
  const listId = isMembers(settings) ? wholeOf(settings.listId) : undefined;
  return listId !== undefined && listId > 0 ? listId : undefined;
}
