import { refusal } from "@headwater/http";

/** The server's name of the error for a regular expression that RE2 refuses. */
const BAD_REGEX_TYPE = "CANNOT_COMPILE_REGEXP";

/** Returns whether RE2 refused a regular expression of a query. */
export function isBadRegex(error: unknown): error is Error {
  return error instanceof Error && "type" in error && error.type === BAD_REGEX_TYPE;
}

/** Refuses a regular expression that criteria of before may still hold: it is the caller's error, not ours. */
export async function refuseBadRegex<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isBadRegex(error)) throw error;
    const details = [{ path: "", code: "bad_value", message: "A regular expression is not valid RE2." }];
    throw refusal("INVALID_AUDIENCE_RULES", "1 rule is not valid", { details, cause: error });
  }
}
