import { z } from "zod";
import { idText, listId } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

export const removeContactFromList = definePipelineEndpoint({
  name: "removeContactFromList",
  summary: "Removes a contact from the list of a group.",
  body: z.looseObject({ ...person, groupId: listId }),
  sample: { ...personSample, groupId: "g-12" },
  parts: ({ groupId }, { identifiers, identifiersPriority }) => [
    {
      kind: "item",
      path: "",
      operation: "removeContactsFromList",
      body: { identifiers: [identifiers], identifiersPriority },
      list: { externalId: idText(groupId), name: idText(groupId), isMade: false },
    },
  ],
});
