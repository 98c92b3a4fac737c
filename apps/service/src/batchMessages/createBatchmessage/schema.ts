import { criteriaSchema } from "@headwater/audience";
import { z } from "zod";
import { messageMembers } from "../messageMembers.ts";
import { contentExample, messageExample } from "../messageView.ts";

export const body = z.object(messageMembers);
export type NewMessage = z.output<typeof body>;
/** The grammar of audiences, for those who write bodies. */
export const documentedBody = body.extend({ audience: criteriaSchema.nullish() });

const { channel, classification, name, tags, audience } = messageExample;
export const requestExample = { channel, classification, name, tags, audience, message: contentExample };
