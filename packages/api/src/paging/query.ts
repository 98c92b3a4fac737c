import { hasForbiddenText } from "@headwater/kernel";
import { z } from "zod";

/** Text that a store can be asked for: NUL and lone surrogates stand in none of them. */
export function storableText(charactersMax: number) {
  return z
    .string()
    .max(charactersMax)
    .refine((text) => !hasForbiddenText(text), { message: "contains NUL or an unpaired surrogate" });
}

/** `?after=<receipt>`: every read takes it. */
/** Headers, the address among them, have 32 KiB. */
const RECEIPT_CHARACTERS_MAX = 24_576;
export const afterQuery = { after: z.string().max(RECEIPT_CHARACTERS_MAX).optional() };

const yesOrNo = z.enum(["true", "false"]);

/** The parameters every list takes, besides its own `sort_by`. */
export const listQuery = {
  ...afterQuery,
  page: z.coerce.number().int().min(1).optional(),
  per_page: z.coerce.number().int().min(1).optional(),
  cursor: z.string().max(4_096).optional(),
  sort_dir: z.enum(["asc", "desc"]).optional(),
  return_count: yesOrNo.optional(),
  fields: z.string().max(4_096).optional(),
};

export interface ListQuery {
  readonly after?: string | undefined;
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort_by?: string | undefined;
  readonly sort_dir?: "asc" | "desc" | undefined;
  readonly return_count?: "true" | "false" | undefined;
  readonly fields?: string | undefined;
}

/** A bound of a range filter: `name[gt|gte|lt|lte]`. */
export const bound = z.string().max(64).optional();
