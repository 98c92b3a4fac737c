import { contactImportOptions, importOptions } from "@headwater/contracts";
import { z } from "zod";
import { importSource, importSourceExample } from "../importSource.ts";

export const body = z.strictObject({
  source: importSource,
  ...importOptions,
  ...contactImportOptions,
  confirmEmail: z.string().max(320).optional(),
});

export const memberNames = Object.keys(body.shape);

export const requestExample = {
  source: importSourceExample,
  importName: "newsletter subscribers",
  hasHeader: true,
  mapping: { "E-mail": "email", "First name": "attributes.first_name", Internal: null },
  lists: { addTo: ["newsletter"] },
  strategy: "upsert",
};
