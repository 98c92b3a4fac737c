import { z } from "zod";
import { idText, listId, maybeId } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

export const addContactToList = definePipelineEndpoint({
  name: "addContactToList",
  summary: "Adds a contact to the list of a group, creating the list if needed.",
  body: z.looseObject({ ...person, groupId: listId, listName: maybeId }),
  sample: { ...personSample, groupId: "g-12", listName: "Beta testers" },
  parts({ groupId, listName }, { identifiers, identifiersPriority }, { settings }) {
    const { canBeCreated } = settings.partners.pipeline;
    return [
      {
        kind: "item",
        path: "",
        operation: "addContactsToList",
        body: { identifiers: [identifiers], identifiersPriority, canBeCreated },
        list: { externalId: idText(groupId), name: idText(listName ?? groupId), isMade: true },
      },
    ];
  },
});
