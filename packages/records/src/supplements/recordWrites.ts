import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import type { FoldState } from "../fold/foldState.ts";
import { writeOnce } from "../writing/writeOnce.ts";
import { unknownRecord } from "./recordShape.ts";
import { checkRecord } from "./supplementCheck.ts";
import { memberStays, unknownTable } from "./tableShape.ts";
import {
  createRecord,
  deleteRecord,
  existingRecord,
  type RecordRequest,
  type RecordWritten,
  recordReads,
  updateRecord,
} from "./writeSupplement.ts";

type Ports = WritePorts;

/**
 * Adds a record that is not there: a POST has 201 as its only success, and upserts are intake's.
 * Throws 404, and 422: `ID_MUST_BE_UNIQUE` for the id of a record that is there, `VALIDATION_ERROR`, `ATTRIBUTE_TYPE_MISMATCH`.
 */
export function createOne(call: OnceCall, request: RecordRequest, ports: Ports): Promise<Answer> {
  expectFields(request);
  return write(call, request, { status: 201, ports, fold: createRecord });
}

/** Changes fields of a record that is there. Throws 404, 409 `VERSION_CONFLICT` and 422. */
export function updateOne(
  call: OnceCall,
  { ifMatch, ...request }: RecordRequest & Matched,
  ports: Ports,
): Promise<Answer> {
  const { id: input = request.id } = request.fields;
  if (input !== request.id) throw memberStays("id");
  expectFields(request);
  return write(call, request, {
    status: 200,
    ports,
    fold: (state, _, origin) => {
      expectRecord(state, request, ifMatch);
      return updateRecord(state, request, origin);
    },
  });
}

interface Matched {
  readonly id: string;
  /** The header `If-Match`. */
  readonly ifMatch: string | undefined;
}

/** Deletes a record that is there; a record of intake that is older does not bring it back. Throws 404 and 409. */
export function deleteOne(
  call: OnceCall,
  { ifMatch, ...request }: { readonly supplement: string } & Matched,
  ports: Ports,
): Promise<Answer> {
  return writeOnce(
    call,
    {
      kind: "v2",
      reads: recordReads({ ...request, fields: {} }, { account: call.caller.account, recordId: "" }),
      fold: (state, origin) => {
        expectRecord(state, request, ifMatch);
        return expectWritten(deleteRecord(state, request, origin));
      },
      answer: () => ({ status: 200, body: { success: true } }),
    },
    ports,
  );
}

interface Writing {
  readonly status: 200 | 201;
  readonly fold: typeof createRecord;
  readonly ports: Ports;
}

function write(call: OnceCall, request: RecordRequest, { status, fold, ports }: Writing): Promise<Answer> {
  const { account } = call.caller;
  return writeOnce(
    call,
    {
      kind: "v2",
      reads: recordReads(request, { account, recordId: `${call.requestId}:0:0` }),
      fold: (state, origin) => {
        const before = request.id === undefined ? undefined : existingRecord(state, { ...request, id: request.id });
        const written = expectWritten(fold(state, request, origin));
        const { id } = written;
        return { ...written, before, version: existingRecord(state, { ...request, id })?.version ?? origin.version };
      },
      answer: ({ id, version }) => ({ status, body: { success: true, id }, headers: { ETag: etagOf(version) } }),
      stored: ({ before }) => before && { ct: toTimestamp(before.createdAt), lm: toTimestamp(before.modifiedAt) },
    },
    ports,
  );
}

function expectFields({ fields }: RecordRequest): void {
  const details = checkRecord(fields, "");
  const [first] = details;
  if (first !== undefined) throw refusal("VALIDATION_ERROR", first.message, { details });
}

/** Checked while it is locked; the write finds whether it is there. Throws 409 `VERSION_CONFLICT`. */
function expectRecord(state: FoldState, at: { supplement: string; id: string }, ifMatch: string | undefined): void {
  const record = existingRecord(state, at);
  if (record !== undefined) expectVersion(ifMatch, record.version);
}

/** Throws what the write was refused for. */
function expectWritten(written: RecordWritten) {
  switch (written.kind) {
    case "written":
      return written;
    case "unknownTable":
      throw unknownTable();
    case "unknownRecord":
      throw unknownRecord();
    case "idTaken": {
      const message = "The supplement already has a record with this id. Use PUT to update it.";
      throw refusal("ID_MUST_BE_UNIQUE", message, { details: [{ path: "/id", code: "not_allowed", message }] });
    }
    case "refused": {
      const { code, path, message } = written.outcome;
      const detail = code === "ATTRIBUTE_TYPE_MISMATCH" ? "type_mismatch" : "bad_value";
      throw refusal(code, message, { details: [{ path, code: detail, message }] });
    }
  }
}
