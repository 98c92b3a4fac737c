import { z } from "zod";

export const deleteAnswer = z.strictObject({ success: z.literal(true), jobId: z.string(), message: z.string() });
export const deleteExample = {
  success: true,
  jobId: "65f0c0ffee65f0c0ffee0001",
  message: "The contact is gone. The job removes what else is stored of it; Kafka forgets its records within 7 days.",
};
