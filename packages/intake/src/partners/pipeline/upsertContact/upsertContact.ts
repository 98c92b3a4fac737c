import { z } from "zod";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

export const upsertContact = definePipelineEndpoint({
  name: "upsertContact",
  summary: "Creates or updates a contact.",
  body: z.looseObject({ ...person, attributes: z.record(z.string(), z.unknown()).optional() }),
  sample: { ...personSample, attributes: { first_name: "Ann", plan: "gold", lifetime_value: 129.5 } },
  parts({ attributes }, contact) {
    const written = attributes === undefined ? {} : { attributes, canBeUpdated: true };
    return [
      { kind: "item", path: "", operation: "upsertContact", body: { ...contact, ...written, canBeCreated: true } },
    ];
  },
});
