import type { JobKind } from "../runner/jobKind.ts";
import { clearListJob } from "./ClearList/index.ts";
import { clearSupplementJob } from "./ClearSupplement/index.ts";
import { deleteAttributeJob } from "./DeleteAttribute/index.ts";
import { deleteContactJob } from "./DeleteContact/index.ts";
import { exportAudienceTrendsJob } from "./ExportAudienceTrends/index.ts";
import { exportLogJob } from "./ExportClientsLogs/index.ts";
import { exportContactProfileJob } from "./ExportContactProfile/index.ts";
import { exportContactsJob } from "./ExportContacts/index.ts";
import { exportEventsJob } from "./ExportEvents/index.ts";
import { exportMessageAnalyticsJob } from "./ExportMessageAnalytics/index.ts";
import { exportOrdersJob } from "./ExportOrders/index.ts";
import { importActivitiesJob } from "./ImportActivities/index.ts";
import { importContactsJob } from "./ImportContacts/index.ts";
import { importOrdersJob } from "./ImportOrders/index.ts";
import { importProductsJob } from "./ImportProducts/index.ts";
import { importSupplementsJob } from "./ImportSupplements/index.ts";
import { mergeContactsJob } from "./MergeContacts/index.ts";
import { retryBatchMessageJob } from "./RetryBatchMessage/index.ts";
import { sendAutomationTemplateJob } from "./SendAutomationTemplate/index.ts";
import { sendBatchMessageJob } from "./SendBatchMessage/index.ts";

/** Every kind of job, by its name. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map(
  [
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
    retryBatchMessageJob,
    sendAutomationTemplateJob,
    sendBatchMessageJob,
  ].map((kind) => [kind.jobName, kind] as const),
);
