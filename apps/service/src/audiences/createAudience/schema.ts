import { criteriaSchema } from "@headwater/audience";
import { z } from "zod";
import { audienceExample, audienceKey, audienceMembers } from "../audienceView.ts";

export const body = z.object({ key: audienceKey, ...audienceMembers });
/** The grammar, for those who write bodies. */
export const documentedBody = body.extend({ criteria: criteriaSchema });

const { key, name, tags, criteria } = audienceExample;
export const requestExample = { key, name, tags, criteria };
