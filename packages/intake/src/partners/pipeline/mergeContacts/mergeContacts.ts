import { z } from "zod";
import { id, idText } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { ownIdOf, person, personSample } from "../person.ts";

export const mergeContacts = definePipelineEndpoint({
  name: "mergeContacts",
  summary: "Merges the contact of a previous id into the contact of the pipeline's id.",
  body: z.looseObject({ ...person, previousId: id }),
  sample: { ...personSample, previousId: "507f191e-810c-4197-9de8-60ea00000002" },
  parts(body, contact, { settings }) {
    const own = ownIdOf(body, settings.partners.pipeline.aliases);
    const value = idText(body.previousId);
    const names = own === undefined || own.name === ANONYMOUS ? [ANONYMOUS] : [ANONYMOUS, own.name];
    const previous = {
      identifiers: Object.fromEntries(names.map((name) => [name, value])),
      identifiersPriority: names,
    };
    const merged = { contact: { ...contact, canBeCreated: true }, previous };
    return [{ kind: "item", path: "", operation: "mergeContacts", body: merged }];
  },
});

/** Identifier that a person is known by before they say who they are. */
const ANONYMOUS = "anonymousId";
