import { criteriaSchema } from "@headwater/audience";
import { givenMembers } from "../changedMessage.ts";

export const body = givenMembers;
/** The grammar of audiences, for those who write bodies. */
export const documentedBody = body.extend({ audience: criteriaSchema.nullish() });
export const requestExample = { name: "Summer sale, second try", schedule: "2027-06-01T09:00:00Z" };
