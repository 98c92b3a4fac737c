import { importOptions } from "@headwater/contracts";
import { z } from "zod";
import { importSource, importSourceExample } from "../importSource.ts";

export const body = z.strictObject({
  source: importSource,
  ...importOptions,
  confirmEmail: z.string().max(320).optional(),
});

export const memberNames = Object.keys(body.shape);

export const requestExample = { source: importSourceExample, hasHeader: true, strategy: "upsert" };
