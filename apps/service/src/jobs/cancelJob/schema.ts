import { jobStatuses } from "@headwater/contracts";
import { z } from "zod";
import { successShape } from "../../answers/success.ts";
import { storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(64) });
export const cancelAnswer = successShape.extend({ id: z.string(), status: z.enum(jobStatuses) });
export const cancelExample = { success: true, id: "65f0c0ffee65f0c0ffee0001", status: "Canceled" };
