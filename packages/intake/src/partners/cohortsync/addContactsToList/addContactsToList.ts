import { defineEndpoint } from "../../endpoint.ts";
import { cohortAuth, cohortBody, cohortSample, cohortStatuses, mapCohort } from "../cohort.ts";

export const addContactsToList = defineEndpoint({
  partner: "cohortsync",
  name: "addContactsToList",
  path: "/api/cohortsync/addContactsToList",
  summary: "Adds the contacts of a cohort to its list, creating the list if needed.",
  auth: cohortAuth,
  statuses: cohortStatuses,
  body: cohortBody,
  sample: cohortSample,
  map: (body, context) => mapCohort("addContactsToList", body, context),
});
