import { accountRoutes } from "@headwater/accounts/accounts/routes";
import { apikeyRoutes } from "@headwater/accounts/apiKeys/routes";
import { listAuditlog } from "@headwater/accounts/auditLog/routes/listAuditlog";
import { contactactivityRoutes } from "@headwater/analytics/activities/routes";
import { downloadContactprofile } from "@headwater/analytics/contactProfiles/downloadContactprofile";
import { exportRoutes } from "@headwater/analytics/exports/routes";
import { fileRoutes } from "@headwater/analytics/files/routes";
import { importRoutes } from "@headwater/analytics/imports/routes";
import { jobRoutes } from "@headwater/analytics/jobs/routes";
import { uploadRoutes } from "@headwater/analytics/uploads/routes";
import { withSharedAnswers } from "@headwater/api/answers/sharedAnswers";
import { createDryRuns } from "@headwater/api/dryRun/dryRuns";
import { withDryRuns } from "@headwater/api/dryRun/withDryRuns";
import { withStoredRefusals } from "@headwater/api/idempotency/keptRefusals";
import { withReceipts } from "@headwater/api/receipts";
import type { ResourceRoutes } from "@headwater/api/resources/resourceDefinition";
import { withStoredRecords } from "@headwater/api/writing/readOnlyMembers";
import { audienceRoutes } from "@headwater/audiences/audiences/routes";
import { listContacts } from "@headwater/audiences/contacts/listContacts";
import { alertRoutes } from "@headwater/automation/alerts/routes";
import { datajobRoutes } from "@headwater/automation/dataJobs/routes";
import { orchestrationRoutes } from "@headwater/automation/orchestrations/routes";
import { startsByChanges } from "@headwater/automation/orchestrations/startsByChanges";
import { webhookRoutes } from "@headwater/automation/webhooks/routes";
import type { Route } from "@headwater/http";
import { whoami } from "@headwater/identity/callers/routes/whoami";
import { listRoles } from "@headwater/identity/roles/routes/listRoles";
import { getAccounting } from "@headwater/intake/accounting/routes/getAccounting";
import { deadletterRoutes } from "@headwater/intake/deadLetters/routes";
import { getFreshness } from "@headwater/intake/lags/routes/getFreshness";
import { updateAccountlistmembers } from "@headwater/intake/listMembers/routes/updateAccountlistmembers";
import { getReceipt } from "@headwater/intake/receipts/routes/getReceipt";
import { batchMessageRoutes } from "@headwater/messaging/batchMessages/routes";
import { getContacteligibility } from "@headwater/messaging/eligibility/routes/getContacteligibility";
import { includeRoutes } from "@headwater/messaging/includes/routes";
import { programRoutes } from "@headwater/messaging/programs/routes";
import { unsubscribeContact } from "@headwater/messaging/suppressions/unsubscribeContact";
import { templateRoutes } from "@headwater/messaging/templates/routes";
import { transportRoutes } from "@headwater/messaging/transports/routes";
import { attributeRoutes } from "@headwater/records/attributes/routes";
import { cartRoutes } from "@headwater/records/carts/routes";
import { contactRoutes } from "@headwater/records/contacts/routes";
import { accountlistRoutes } from "@headwater/records/lists/routes";
import { orderRoutes } from "@headwater/records/orders/routes";
import { productRoutes } from "@headwater/records/products/routes";
import { supplementRoutes } from "@headwater/records/supplements/routes";
import { suppressionRoutes } from "@headwater/records/suppressions/routes";
import { dryRunPortsOf } from "./dryRunPorts.ts";
import { getHealth } from "./health/routes/getHealth.ts";
import type { RoutePorts } from "./ports.ts";

/** Returns every route with what all of them have: receipts, stored refusals and dry runs. */
export function servedRoutes(ports: RoutePorts, resources: readonly ResourceRoutes[] = []): Route[] {
  const { postgres, clock } = ports;
  const dryRuns = createDryRuns(clock);
  // They are called, and not described.
  const tried = () =>
    routesOver({ ...ports, ...dryRunPortsOf(ports, dryRuns) }, resources).map((route) => withReceipts(route, ports));
  const routes = routesOf(ports, resources).map((route) => withReceipts(withStoredRefusals(route, postgres), ports));
  return withDryRuns(routes, { postgres, dryRuns, routes: tried, mayStart: startsByChanges });
}

/** Returns every route of `/v2`, with those of further resources. */
export function routesOf(ports: RoutePorts, further: readonly ResourceRoutes[] = []): Route[] {
  return routesOver(ports, further).map(withSharedAnswers);
}

function routesOver(ports: RoutePorts, further: readonly ResourceRoutes[]): Route[] {
  const routes = [...routesByResource(ports), ...further.flatMap((resource) => resource(ports))];
  return withStoredRecords(routes, ports);
}

function routesByResource(ports: RoutePorts): Route[] {
  return [
    getHealth(ports),
    whoami(),
    listRoles(),
    getReceipt(ports),
    getAccounting(ports),
    getFreshness(ports),
    ...audienceRoutes(ports),
    ...accountRoutes(ports),
    listContacts(ports),
    ...contactRoutes(ports),
    unsubscribeContact(ports),
    getContacteligibility(ports),
    downloadContactprofile(ports),
    ...cartRoutes(ports),
    ...contactactivityRoutes(ports),
    ...accountlistRoutes(ports),
    updateAccountlistmembers(ports),
    ...attributeRoutes(ports),
    ...orderRoutes(ports),
    ...supplementRoutes(ports),
    ...productRoutes(ports),
    ...includeRoutes(ports),
    ...transportRoutes(ports),
    ...templateRoutes(ports),
    ...suppressionRoutes(ports),
    ...orchestrationRoutes(ports),
    ...datajobRoutes(ports),
    ...batchMessageRoutes(ports),
    ...exportRoutes(ports),
    ...programRoutes(ports),
    ...jobRoutes(ports),
    ...fileRoutes(ports),
    ...importRoutes(ports),
    ...uploadRoutes(ports),
    ...apikeyRoutes(ports),
    listAuditlog(ports),
    ...deadletterRoutes(ports),
    ...webhookRoutes(ports),
    ...alertRoutes(ports),
  ];
}
