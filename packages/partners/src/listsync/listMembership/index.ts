import { defineEndpoint } from "../../endpoint.ts";
import { syncHash } from "../syncHash.ts";
import { map } from "./map.ts";
import { body, sample } from "./schema.ts";

export const listMembership = defineEndpoint({
  partner: "listsync",
  name: "listMembership",
  path: "/api/listsync/listMembership/{accountId}",
  summary:
    "Takes one page of a segment: contacts that come onto its list, and contacts that leave it. A drain empties the list.",
  auth: { kind: "signature", ...syncHash },
  statuses: { accepted: 200, badShape: 422, badJson: 422, wrongType: "NOT_ACCEPTABLE" },
  body,
  sample,
  map,
});
