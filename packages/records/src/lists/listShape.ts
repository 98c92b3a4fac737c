import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { shapes } from "@headwater/contracts";
import { z } from "zod";

const name = shapes.listTarget.listName.unwrap();

export const newListBody = z.object({ name, enhanced: z.boolean().optional() });
export type NewListBody = z.output<typeof newListBody>;
/** Absent = unchanged. */
export const listBody = newListBody.partial();
export type ListBody = z.output<typeof listBody>;

export const listShape = z.strictObject({ id: z.number().int(), name: z.string(), enhanced: z.boolean() });
export const listExample = { id: 1, name: "vip", enhanced: false };

/** Text, so that what is no number is an unknown list. */
export const listParams = z.strictObject({ id: storableText(64) });

export const savedShape = successShape.extend({ id: z.number().int() });
export const savedExample = { success: true, id: 1 };

/** `jobId`: the job that removes the stored rows of its members. */
export const deletedShape = successShape.extend({ jobId: z.string() });
export const deletedExample = { success: true, jobId: "65f0c0ffee65f0c0ffee0001" };
