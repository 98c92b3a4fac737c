import { z } from "zod";

export { discardRequest as body } from "@headwater/contracts";

export const discardAnswer = z.strictObject({ discarded: z.number().int() });
export const requestExample = {
  select: { ids: ["VbZsDdSkFIHQqU5ESHo7:3:0"] },
  reason: "sent by a test, not meant for this account",
};
