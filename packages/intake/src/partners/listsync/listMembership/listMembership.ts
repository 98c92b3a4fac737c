import { defineEndpoint } from "../../endpoint.ts";
import { syncHash } from "../syncHash.ts";
import { map } from "./map.ts";
import { body, sample } from "./schema.ts";

export const listMembership = defineEndpoint({
  partner: "listsync",
  name: "listMembership",
  path: "/api/listsync/listMembership/{accountId}",
  summary: "Processes a page of a segment: contacts to add to and remove from its list. A drain empties the list.",
  auth: { kind: "signature", ...syncHash },
  statuses: { accepted: 200, badShape: 422, badJson: 422, wrongType: "NOT_ACCEPTABLE" },
  body,
  sample,
  map,
});
