import { exportContactProfileJob } from "@headwater/analytics/contactProfiles/exportContactProfileJob";
import { deleteContactJob } from "@headwater/analytics/erasures/deleteContactJob";
import { exportAudienceTrendsJob } from "@headwater/analytics/exports/exportAudienceTrendsJob";
import { exportLogJob } from "@headwater/analytics/exports/exportClientsLogsJob";
import { exportContactsJob } from "@headwater/analytics/exports/exportContactsJob";
import { exportEventsJob } from "@headwater/analytics/exports/exportEventsJob";
import { exportMessageAnalyticsJob } from "@headwater/analytics/exports/exportMessageAnalyticsJob";
import { exportOrdersJob } from "@headwater/analytics/exports/exportOrdersJob";
import { importActivitiesJob } from "@headwater/analytics/imports/importActivitiesJob";
import { importContactsJob } from "@headwater/analytics/imports/importContactsJob";
import { importOrdersJob } from "@headwater/analytics/imports/importOrdersJob";
import { importProductsJob } from "@headwater/analytics/imports/importProductsJob";
import { importSupplementsJob } from "@headwater/analytics/imports/importSupplementsJob";
import { createMapper, type MapperOptions } from "@headwater/automation/dataJobs/createMapper";
import { createDataJobRun } from "@headwater/automation/dataJobs/dataJobRun";
import { simulateOrchestrationJob } from "@headwater/automation/simulations/simulateOrchestrationJob";
import { replayWebhookJob } from "@headwater/automation/webhooks/replayWebhookJob";
import type { JobKind } from "@headwater/jobs/runner/jobKind";
import { retryBatchMessageJob } from "@headwater/messaging/batchMessages/retryBatchMessageJob";
import { sendBatchMessageJob } from "@headwater/messaging/batchMessages/sendJob/sendBatchMessageJob";
import { sendAutomationTemplateJob } from "@headwater/messaging/templates/sendJob/sendAutomationTemplateJob";
import { deleteAttributeJob } from "@headwater/records/attributes/deleteAttributeJob";
import { mergeContactsJob } from "@headwater/records/contacts/mergeContactsJob";
import { clearListJob } from "@headwater/records/lists/clearListJob";
import { clearSupplementJob } from "@headwater/records/supplements/clearSupplementJob";

/** Every kind of job, by its name, and the processes that they need. */
export interface JobKinds {
  readonly kinds: ReadonlyMap<string, JobKind>;
  close(): Promise<void>;
}

/** Creates the kinds of jobs. Processes start with their first work. */
export function createJobKinds(options: MapperOptions = {}): JobKinds {
  const mapper = createMapper(options);
  const kinds = [
    createDataJobRun({ mapper }),
    clearListJob,
    clearSupplementJob,
    deleteAttributeJob,
    deleteContactJob,
    exportAudienceTrendsJob,
    exportContactProfileJob,
    exportContactsJob,
    exportEventsJob,
    exportLogJob,
    exportMessageAnalyticsJob,
    exportOrdersJob,
    importActivitiesJob,
    importContactsJob,
    importOrdersJob,
    importProductsJob,
    importSupplementsJob,
    mergeContactsJob,
    replayWebhookJob,
    retryBatchMessageJob,
    sendAutomationTemplateJob,
    sendBatchMessageJob,
    simulateOrchestrationJob,
  ];
  return { kinds: new Map(kinds.map((kind) => [kind.jobName, kind] as const)), close: () => mapper.close() };
}
