import { z } from "zod";
import { storableText } from "../../paging/query.ts";

const NAME_CHARACTERS_MAX = 255;

export const query = z.strictObject({ name: storableText(NAME_CHARACTERS_MAX).optional() });

export const headers = z.object({
  "Repr-Digest": z
    .string()
    .optional()
    .meta({ description: "`sha-256=:<base64>:`. A body with another checksum is refused." }),
  "Idempotency-Key": z
    .string()
    .max(255)
    .optional()
    .meta({ description: "A retry with the same key and the same bytes gets the first response." }),
});

export const uploadAnswer = z.strictObject({
  id: z.string(),
  /** Value for an import's `source.path`. */
  url: z.string(),
  bytes: z.number().int(),
  /** Hex. */
  sha256: z.string(),
  expiresAt: z.string(),
});

export const uploadExample = {
  id: "65f0c0ffee65f0c0ffee0001",
  url: "upload:65f0c0ffee65f0c0ffee0001",
  bytes: 48_213,
  sha256: "27c965a4110f97162bc6c0d4a35857c3165747e656b88b14d45469a148390a75",
  expiresAt: "2026-01-16T22:47:12.000Z",
};
