import { defineEndpoint } from "../../endpoint.ts";
import { cohortAuth, cohortBody, cohortSample, cohortStatuses, mapCohort } from "../cohort.ts";

export const removeContactsFromList = defineEndpoint({
  partner: "cohortsync",
  name: "removeContactsFromList",
  path: "/api/cohortsync/removeContactsFromList",
  summary: "Removes contacts that left a cohort from its list.",
  auth: cohortAuth,
  statuses: cohortStatuses,
  body: cohortBody,
  sample: cohortSample,
  map: (body, context) => mapCohort("removeContactsFromList", body, context),
});
