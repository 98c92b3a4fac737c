import { rejectionCodes, shapes } from "@headwater/contracts";
import { z } from "zod";

export const record = z.strictObject({
  ...shapes.recordMembers,
  /** The endpoint that was called: `cdpsync/eventProcessing`. */
  push: z.string(),
  verdict: z.enum(["rejected", "skipped"]),
  /** Code of a rejection; a part that is skipped has the one code there is for it. */
  code: z.enum(rejectionCodes),
  /** JSON pointer into the push. */
  path: z.string(),
  message: z.string(),
  /** The part as it was sent. */
  part: z.unknown(),
});
export type RefusedPartRecord = z.infer<typeof record>;
