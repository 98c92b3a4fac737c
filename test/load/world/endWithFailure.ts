import { Failure } from "../../../infra/src/index.ts";

/** Says a failure in its own words; anything else is a defect and is thrown on. */
export function endWithFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}
