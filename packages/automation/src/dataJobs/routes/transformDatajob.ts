import { runLogged } from "@headwater/api/idempotency/runLogged";
import { defineWriteRoute, type WriteCall } from "@headwater/api/writing/writeRoute";
import { type Answer, notJson, publishedAs, type Route, refusal } from "@headwater/http";
import type { AcceptPorts } from "@headwater/intake/entry/acceptItems";
import { tooLarge } from "@headwater/intake/entry/answers";
import { type CallOptions, flag, isOn } from "@headwater/intake/entry/callOptions";
import { limits } from "@headwater/intake/entry/limits";
import { z } from "zod";
import { acceptMade, createAcceptPorts, isLogged } from "../acceptMade.ts";
import type { MadeRecord } from "../compileMapping.ts";
import { mappingShape } from "../mapping.ts";
import type { DataJobPorts } from "../ports.ts";
import type { StoredDataJob } from "../postgres.ts";
import { acceptMadeProducts } from "../products.ts";
import { dataJobParams, disabled, readDataJob, targetOf, UNKNOWN } from "../readDataJob.ts";

const PARSE_ERROR_STATUS = 400;
/** Bodies that are checked before anything else, within a millisecond. Larger ones are parsed by the process that maps them, once. */
const CHECKED_HERE_BYTES_MAX = 64 * 1024;
const count = z.number().int();

const body = publishedAs(
  z.undefined(),
  z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .describe("What the mapping of the data job reads."),
);
const query = z.strictObject({
  validateOnly: flag.meta({ description: "Nothing is written: the answer is the verdicts on the records." }),
  verbose: flag.meta({ description: "`items` lists every record." }),
});
const answer = z.strictObject({
  success: z.literal(true).optional(),
  message: z.string().optional(),
  requestId: z.string(),
  receipt: z.string().describe("Tracks the records; absent for products, and where nothing was written.").optional(),
  accepted: count.optional(),
  valid: count.describe("With `validateOnly`.").optional(),
  rejected: count,
  items: z.array(
    z.looseObject({
      index: count,
      status: z.enum(["accepted", "rejected"]),
      code: z.string().optional(),
      message: z.string().optional(),
      path: z.string().optional(),
    }),
  ),
  warnings: z
    .array(z.looseObject({ index: count.optional(), path: z.string(), code: z.string(), message: z.string() }))
    .optional(),
});
const example = {
  ...{ success: true, message: "The valid records are in the log.", requestId: "VbZpV7JM0BOAzyAfVMfg" },
  ...{ receipt: "eyJyIjoi….kTqB2w", accepted: 2, rejected: 0, items: [] },
};

type TransformCall = WriteCall<{ readonly key: string }, z.output<typeof query>, undefined>;

/** Maps a body and hands what was made to the operation of its target, once for the `Idempotency-Key`. */
async function transform(call: TransformCall, ports: DataJobPorts, acceptPorts: AcceptPorts): Promise<Answer> {
  const { account, scopes } = call.caller;
  const { bytes } = call.received;
  if (bytes.length <= CHECKED_HERE_BYTES_MAX) expectJson(bytes);
  if (!isContainer(bytes)) throw invalid("wrong_type", "The body must be an object or an array.");
  const job = await readDataJob(ports.postgres, account.number, call.params.key);
  if (!job.enabled) throw disabled();
  const target = targetOf(job);
  if (target.type === "export") {
    const message = "The records of this data job are written to its destination: trigger it.";
    throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/target/type", code: "not_allowed", message }] });
  }
  const options = { strict: false, verbose: isOn(call.query.verbose), validateOnly: isOn(call.query.validateOnly) };
  const { receivedAtMs } = call;
  const accept = async (requestId: string, isKeyed: boolean): Promise<Answer> => {
    const made = await mapBody(job, bytes, ports);
    if (made.length === 0) return nothingMade(options, requestId);
    const shared = { made, account, options };
    if (!isLogged(target.type)) {
      const nowMs = ports.clock.nowMs();
      return acceptMadeProducts(ports.postgres, { ...shared, requestId, nowMs });
    }
    const stamp = { requestId, receivedAtMs, isKeyed };
    return acceptMade(acceptPorts, { ...shared, target: { ...target, type: target.type }, scopes, stamp });
  };
  return options.validateOnly ? accept(call.requestId, false) : runLogged(ports, call.once, accept);
}

/** Returns what a body becomes. @throws HeadwaterError 400 for no JSON, 413 for too many records, 422. */
async function mapBody(
  { account, mapping }: StoredDataJob,
  bytes: Buffer,
  { mapper }: Pick<DataJobPorts, "mapper">,
): Promise<readonly MadeRecord[]> {
  const bounds = { recordsMax: limits.records, bytesMax: limits.bytesWritten };
  const request = { mapping: mappingShape.parse(JSON.parse(mapping)), json: bytes, isList: false, ...bounds };
  const mapped = await mapper.map(account, request);
  switch (mapped.kind) {
    case "made":
      return mapped.made.map(({ record }) => record);
    case "notJson":
      throw notJson(PARSE_ERROR_STATUS);
    case "tooMany":
      throw tooLarge(mapped.what, mapped.what === "records" ? limits.records : limits.bytesWritten);
    case "tooDeep":
      throw invalid("out_of_range", "The body is nested more than 64 levels deep.");
    case "ended":
      throw invalid("bad_value", mapped.message);
  }
}

function expectJson(bytes: Buffer): void {
  try {
    JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(PARSE_ERROR_STATUS);
    throw error;
  }
}

const CONTAINER_STARTS: ReadonlySet<string> = new Set(["{", "["]);
const SPACES: ReadonlySet<string> = new Set([" ", "\t", "\n", "\r"]);

/** Returns whether JSON is an object or an array, by its first character. */
function isContainer(bytes: Buffer): boolean {
  const start = bytes.findIndex((byte) => !SPACES.has(String.fromCharCode(byte)));
  return CONTAINER_STARTS.has(String.fromCharCode(bytes[start] ?? 0));
}

function invalid(code: string, message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "", code, message }] });
}

function nothingMade({ validateOnly }: CallOptions, requestId: string): Answer {
  const none = { rejected: 0, items: [] };
  if (validateOnly) return { status: 200, body: { requestId, valid: 0, ...none, warnings: [] } };
  const message = "The mapping makes no record of this body.";
  return { status: 200, body: { success: true, message, requestId, accepted: 0, ...none } };
}

export function transformDatajob(ports: DataJobPorts): Route {
  const acceptPorts = createAcceptPorts(ports);
  return defineWriteRoute<{ readonly key: string }, z.output<typeof query>>({
    method: "POST",
    path: "/v2/datajobs/{key}/transform",
    operationId: "transformDatajob",
    summary: "Maps a body, and accepts what it becomes as if it were sent to intake.",
    description:
      "The body is any JSON object or array of up to 10 MiB. `index` in `items` counts the records that were made; `path` points into a record. Every record is validated on its own. The receipt tracks what becomes of those that are valid.",
    tags: ["datajobs"],
    answers: {
      200: { description: "What was made, and what became of it.", schema: answer, example },
      404: UNKNOWN,
      413: { description: "PAYLOAD_TOO_LARGE: the body, more than 10,000 records, or more than 32 MiB of them." },
      422: {
        description:
          "VALIDATION_ERROR: no record is valid, or the mapping passed a limit. DATA_JOB_API_TRIGGER_DISABLED: the data job is disabled.",
      },
      503: { description: "SERVICE_UNAVAILABLE, with Retry-After: the log is unavailable. Nothing was accepted." },
    },
    requestExample: { at: "2026-01-09T22:47:12Z", lines: [{ sku: "85123A", qty: 2, email: "ada@example.com" }] },
    scope: "datajobs:write",
    dryRun: "checked",
    target: "key",
    params: dataJobParams,
    query,
    body,
    readsBytes: true,
    bodyBytesMax: limits.batchBytes,
    handler: (call) => transform(call, ports, acceptPorts),
  });
}
