import type { HeadwaterError } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { toItem } from "./acceptMade.ts";
import type { Mapper } from "./createMapper.ts";
import type { Target } from "./dataJob.ts";
import { mappingShape } from "./mapping.ts";
import { dataJobs } from "./postgres.ts";
import { targetOf } from "./readDataJob.ts";

/** Input of a step of an orchestration. */
export interface StepInput {
  /** The contact as reads show it. */
  readonly contact: unknown;
  /** The event that started the run; null where there is none. */
  readonly event: unknown;
  readonly extVars: Readonly<Record<string, unknown>>;
}

/** Records of a step's data job: bodies of the operation of its target, or why there are none. */
export type StepRecords =
  | { readonly kind: "records"; readonly target: Target; readonly records: readonly unknown[] }
  /** The data job does not exist, is disabled or writes files, or its mapping passes a limit: the step fails with this. */
  | { readonly kind: "failed"; readonly error: Pick<HeadwaterError, "code"> & { readonly message: string } };

/** Records of one step. */
const RECORDS_MAX = 100;
const BYTES_MAX = 1024 * 1024;

/**
 * Maps the input of a step of an orchestration by a data job of the account. Nothing is written: the caller hands the records to
 * the operation of the target (`operationsOfTargets`), and products to `readMadeProduct`, in the transaction of the step.
 * @throws HeadwaterError 429 or 503 when too many mappings wait: the step is tried again.
 */
export async function mapForStep(
  session: Session,
  { account, key, input }: { readonly account: number; readonly key: string; readonly input: StepInput },
  mapper: Pick<Mapper, "map">,
): Promise<StepRecords> {
  const job = await dataJobs.read(session, { account, key });
  if (job === undefined) return failed("RECORD_NOT_FOUND", "The data job does not exist.");
  if (!job.enabled) return failed("DATA_JOB_API_TRIGGER_DISABLED", "The data job is disabled.");
  const target = targetOf(job);
  if (target.type === "export") return failed("VALIDATION_ERROR", "The data job writes files, not records.");
  const json = Buffer.from(JSON.stringify(input));
  const bounds = { isList: false, recordsMax: RECORDS_MAX, bytesMax: BYTES_MAX };
  const mapped = await mapper.map(account, { mapping: mappingShape.parse(JSON.parse(job.mapping)), json, ...bounds });
  if (mapped.kind === "ended") return failed("VALIDATION_ERROR", mapped.message);
  if (mapped.kind !== "made") return failed("VALIDATION_ERROR", `The mapping makes more than ${RECORDS_MAX} records.`);
  if (mapped.made.some(({ record }) => record === undefined))
    return failed("PAYLOAD_TOO_LARGE", "The mapping makes a record that is too large.");
  const records = mapped.made.map(({ record = "null" }) => toItem(JSON.parse(record), target));
  return { kind: "records", target, records };
}

function failed(code: HeadwaterError["code"], message: string): StepRecords {
  return { kind: "failed", error: { code, message } };
}
