import { refusal } from "@headwater/http";

/** The server's name of the error for a regular expression that RE2 refuses. */
const BAD_REGEX_TYPE = "CANNOT_COMPILE_REGEXP";

/** RE2 has the last word on a regular expression: what it refuses is the caller's error, not ours. */
export async function refuseBadRegex<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && "type" in error && error.type === BAD_REGEX_TYPE)) throw error;
    const details = [{ path: "", code: "bad_value", message: "A regular expression is not valid RE2." }];
    throw refusal("INVALID_AUDIENCE_RULES", "1 rule is not valid", { details, cause: error });
  }
}
