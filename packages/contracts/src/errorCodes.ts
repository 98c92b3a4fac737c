/**
 * Every code an answer of Headwater may carry, with its HTTP status. Codes of outcomes (skips, warnings, rejections
 * of applied records) that are never the code of an answer have status 0.
 * Statuses under `/api` differ for a few codes; `packages/http` knows which.
 */
export const errorStatuses = {
  INVALID_JSON_PROVIDED: 400,
  BAD_REQUEST: 400,
  INVALID_CURSOR: 400,
  AUTHENTICATION_FAILED: 401,
  INSUFFICIENT_SCOPE: 403,
  IP_NOT_ALLOWED: 403,
  FEATURE_NOT_ENABLED: 403,
  HTTPS_REQUIRED: 403,
  RECORD_NOT_FOUND: 404,
  CONTACTS_CONTACT_NOT_FOUND: 404,
  ACCOUNT_LISTS_NOT_FOUND: 404,
  ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  INVALID_STATE_TRANSITION: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  VERSION_CONFLICT: 409,
  NOT_YET_APPLIED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  VALIDATION_ERROR: 422,
  KEY_MUST_BE_UNIQUE: 422,
  ID_MUST_BE_UNIQUE: 422,
  NAME_MUST_BE_UNIQUE: 422,
  TYPE_CHANGE_NOT_ALLOWED: 422,
  UNKNOWN_ATTRIBUTE: 422,
  ATTRIBUTE_TYPE_MISMATCH: 422,
  RESERVED_ACTION: 422,
  JOBS_STATISTIC_PER_PAGE_EXCEEDED: 422,
  EXPORT_CONFIGURATION_ERROR: 422,
  IMPORT_CONFIGURATION_ERROR: 422,
  STORAGE_CONNECTION_ERROR: 422,
  INVALID_AUDIENCE_RULES: 422,
  MERGE_CONFLICT: 422,
  ALL_ROWS_REJECTED: 422,
  CONTACT_TOO_LARGE: 422,
  CONTACT_ATTRIBUTES_EXCEEDED: 422,
  CONTACT_IDENTIFIERS_EXCEEDED: 422,
  CONTACT_LISTS_EXCEEDED: 422,
  ACCOUNT_ATTRIBUTES_EXCEEDED: 422,
  ACCOUNT_LISTS_EXCEEDED: 422,
  HASHED_IDENTITIES_OFF: 422,
  INCLUDE_IN_USE: 422,
  AUDIENCE_IN_USE: 422,
  TRANSPORT_IN_USE: 422,
  MESSAGE_NOT_DRAFT: 422,
  TRANSPORT_REQUIRED: 422,
  TEMPLATE_NOT_PUBLISHED: 422,
  DATA_JOB_API_TRIGGER_DISABLED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  STORE_WENT_BACK: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** Reasons why a record had nothing to do when it was applied. */
export const skipCodes = [
  "DUPLICATE",
  "UPDATE_NOT_ALLOWED",
  "CREATE_NOT_ALLOWED",
  "ATTRIBUTES_RESTRICTED",
  "UNCHANGED",
  "SUPERSEDED",
  "NOT_A_MEMBER",
  "ACCOUNT_LISTS_NOT_FOUND",
  "CART_FULL",
  "NOT_MAPPED",
  "ERASED",
] as const;
export type SkipCode = (typeof skipCodes)[number];

/** Parts of an applied record that were left undone. */
export const warningCodes = [
  "MERGE_CONFLICT",
  "IDENTITY_CONFLICT",
  "UPDATE_NOT_ALLOWED",
  "STATUS_KEPT",
  "CONTACTS_CONTACT_NOT_FOUND",
  "CART_FULL",
  "NOT_AN_ADDRESS",
] as const;
export type WarningCode = (typeof warningCodes)[number];

/** Reasons why a record was refused when it was applied. */
export const rejectionCodes = [
  "CONTACTS_CONTACT_NOT_FOUND",
  "ACCOUNT_LISTS_NOT_FOUND",
  "RECORD_NOT_FOUND",
  "UNKNOWN_ATTRIBUTE",
  "ATTRIBUTE_TYPE_MISMATCH",
  "MERGE_CONFLICT",
  "CONTACT_TOO_LARGE",
  "CONTACT_ATTRIBUTES_EXCEEDED",
  "CONTACT_IDENTIFIERS_EXCEEDED",
  "CONTACT_LISTS_EXCEEDED",
  "ACCOUNT_ATTRIBUTES_EXCEEDED",
  "ACCOUNT_LISTS_EXCEEDED",
  "HASHED_IDENTITIES_OFF",
  "VALIDATION_ERROR",
  "RESERVED_ACTION",
  "PAYLOAD_TOO_LARGE",
  "INTERNAL_ERROR",
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

/** Reasons why an accepted record was never applied, though nothing is wrong with it. */
export const lossCodes = ["LOST_FROM_LOG"] as const;

/** One finding inside a refused body. `path` is a JSON pointer. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly allowed?: readonly string[];
}
