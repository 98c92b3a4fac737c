import { z } from "zod";
import { successShape } from "../../answers/success.ts";

export const deleteAnswer = successShape.extend({ jobId: z.string(), message: z.string() });
export const deleteExample = {
  success: true,
  jobId: "65f0c0ffee65f0c0ffee0001",
  message: "The contact is erased. The job removes its remaining data; Kafka deletes its records within 7 days.",
};
