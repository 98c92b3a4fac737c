import type { ErrorCode } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";

/** Makes the error that fails an import as a whole; `metadata.error` shows it. */
export function importFailed(publicMessage: string, cause?: unknown): HeadwaterError {
  const code: ErrorCode = "IMPORT_CONFIGURATION_ERROR";
  return new HeadwaterError({ code, status: 422, publicMessage, ...(cause === undefined ? {} : { cause }) });
}
