import { HeadwaterError } from "@headwater/kernel";

/** Says that the operator's store of files takes nothing at present: jobs wait for it, and requests are answered 503. */
export function filesUnavailable(publicMessage: string, cause: unknown): HeadwaterError {
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}
