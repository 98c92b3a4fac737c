import { z } from "zod";
import { contactMergeOptions } from "./contactMerge.ts";
import { dataJobRunInput } from "./dataJobs.ts";
import {
  exportAudienceTrendsInput,
  exportContactsInput,
  exportEventsInput,
  exportLogInput,
  exportMessagesInput,
  exportOrdersInput,
} from "./exports.ts";
import { importJobShapes } from "./importJobs.ts";
import { jobStorage } from "./requestedStorage.ts";

/** Spelt as answers show them. */
export const jobStatuses = ["Scheduled", "Pending", "Processing", "Throttled", "Done", "Failed", "Canceled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

const finalStatuses: readonly JobStatus[] = ["Done", "Failed", "Canceled"];

/** Nothing changes any more. */
export function isFinalJob(status: JobStatus): boolean {
  return finalStatuses.includes(status);
}

/**
 * Inputs of each kind of job: the route that starts it and the worker agree here. An input is kept as long as its job: it names contacts
 * by cID, never by an address, so that an erasure need not search for it.
 */
const shapes = {
  ClearList: z.strictObject({
    list: z.number().int(),
    /** Memberships with a lower version are gone. */
    version: z.string(),
  }),
  ClearSupplement: z.strictObject({
    supplement: z.number().int(),
    /** Records with a lower version are gone. */
    version: z.string(),
  }),
  DeleteAttribute: z.strictObject({
    key: z.string(),
    /** Values at or below it are gone. */
    version: z.string(),
  }),
  /** The one input with addresses: where they stand is what it searches for. It is emptied when the job is done. */
  DeleteContact: z.strictObject({
    /** Names the erasure. */
    version: z.string(),
    identifiers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  }),
  DataAutomationProcessList: dataJobRunInput,
  ExportAudienceTrends: exportAudienceTrendsInput,
  ExportContacts: exportContactsInput,
  ExportEvents: exportEventsInput,
  ExportClientsLogs: exportLogInput,
  ExportMessageAnalytics: exportMessagesInput,
  ExportOrders: exportOrdersInput,
  ExportContactProfile: z.strictObject({
    /** cID. */
    contact: z.string(),
    format: z.enum(["json", "jsonl"]),
    /** Absent: the file is kept here. */
    destination: jobStorage.optional(),
  }),
  ...importJobShapes,
  MergeContacts: z.strictObject({
    /** cIDs. */
    source: z.string(),
    destination: z.string(),
    options: contactMergeOptions,
  }),
  ReplayWebhook: z.strictObject({
    /** 24 hex characters. */
    webhook: z.string(),
    /** Milliseconds since 1970: `from` included, `to` excluded. */
    from: z.number(),
    to: z.number(),
    /** States of the deliveries that are queued again. */
    states: z.array(z.string()),
    /** Types of events; absent: all. */
    events: z.array(z.string()).optional(),
  }),
  RetryBatchMessage: z.strictObject({
    /** 24 hex characters. */
    message: z.string(),
    /** States of the sends that are tried again. */
    states: z.array(z.enum(["failed", "unknown", "deferred"])),
  }),
  SendAutomationTemplate: z.strictObject({
    /** 24 hex characters of a run of its recurring trigger. */
    run: z.string(),
  }),
  SendBatchMessage: z.strictObject({
    /** 24 hex characters. */
    message: z.string(),
  }),
  SimulateOrchestration: z.strictObject({
    /** 24 hex characters. */
    orchestration: z.string(),
    version: z.union([z.int(), z.literal("draft")]),
    /** JSON text of the version, as it was when the job was asked for. */
    composition: z.string(),
    /** Ids of the lists that its criteria name by name. */
    lists: z.record(z.string(), z.int()),
    /** Milliseconds since 1970: `from` included, `to` not. */
    from: z.int(),
    to: z.int(),
    basis: z.enum(["event", "recorded"]),
    samplePercent: z.number(),
    seed: z.int(),
    /** Shares from 0 to 1; those of messages by the key of their template. */
    assume: z.strictObject({
      webhook: z.number(),
      rates: z.record(z.string(), z.strictObject({ open: z.number(), click: z.number() })),
    }),
  }),
} as const;

export type JobName = keyof typeof shapes;
type JobInputs = { readonly [Name in JobName]: z.output<(typeof shapes)[Name]> };
export type JobInput<Name extends JobName> = JobInputs[Name];

/** The shape of each kind's input. */
export const jobInputs: { readonly [Name in JobName]: z.ZodType<JobInputs[Name]> } = shapes;

/** Counts of a job's items by outcome. */
export interface JobResult {
  readonly totalRecords: number;
  readonly inserted: number;
  readonly updated: number;
  readonly rejected: number;
  readonly error: number;
  readonly ignored: number;
}

export const emptyJobResult: JobResult = {
  totalRecords: 0,
  inserted: 0,
  updated: 0,
  rejected: 0,
  error: 0,
  ignored: 0,
};

/** A job that reads a file into records: an import, or the run of a data job. */
export type ImportJobName = Extract<JobName, `Import${string}` | "DataAutomationProcessList">;
