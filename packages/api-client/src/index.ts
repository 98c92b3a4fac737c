export { ClientError, type ErrorDetail, type RetryEvent } from "@headwater/client";
export { createServiceClient, type DryRun, dataOf, type ServiceClient } from "./createServiceClient.ts";
export type { FileBytes, UploadOptions } from "./files.ts";
// `./generated` is not in Git: `npm run generate` builds it, and so does every other command where it is missing.
export { members } from "./generated/members.ts";
export { operations } from "./generated/operations.ts";
export type { paths } from "./generated/paths.ts";
export type { AnswerEvent, ServiceClientOptions, WarningEvent } from "./options.ts";
export type { Page, PagesOptions, Row } from "./pages.ts";
export {
  type CallOptions,
  type Method,
  methods,
  type OperationId,
  type QueryValue,
  requestOf,
  type ServiceRequest,
  withQuery,
} from "./request.ts";
export type { ServiceAnswer } from "./transport.ts";
export type { WaitOptions } from "./waiting.ts";
