import { refusal } from "@headwater/http";
import { isBadRegex } from "../criteria/refusedRegexes.ts";

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
