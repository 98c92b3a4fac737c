import { type Account, partitionOf } from "@headwater/contracts";
import { findForbidden } from "@headwater/http";
import type { InternalOperation } from "@headwater/intake/operations/operation";
import { type AcceptedRecord, validateItem } from "@headwater/intake/operations/validateItem";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import { unnamedCell } from "@headwater/jobs/sources/openRows";
import type { Row } from "@headwater/jobs/sources/row";
import type { FrameEntry } from "@headwater/topics";
import type { RowReader } from "../importKind.ts";
import {
  type MarkedSource,
  namesOfIgnored,
  namesOfInvalidAddresses,
  namesOfMarked,
  namesOfMissing,
  namesOfSimilar,
  type RowWarnings,
} from "../rowWarnings.ts";
import { pathInRow } from "./pathInRow.ts";
import { rowView } from "./rowView.ts";

export interface RowJudging extends MarkedSource {
  readonly account: Account;
  readonly operation: InternalOperation;
  readonly reader: RowReader;
  /** Paths of columns without a name, in which no row may say anything. */
  readonly unnamed?: readonly number[] | undefined;
  readonly nowMs: number;
  readonly warnings: RowWarnings;
  /** Word of the import; that of a row wins. Rows start no automation by default. */
  readonly suppressTriggers?: boolean | undefined;
}

/** A row that became a record. */
export interface AcceptedRow {
  readonly row: Row;
  readonly record: AcceptedRecord;
  /** A dry run's contact is put on a list that the import would make. */
  readonly joinsNewList?: boolean;
}

export type ValidatedRow =
  | ({ readonly kind: "accepted" } & AcceptedRow)
  | { readonly kind: "rejected"; readonly rejection: JobRejection };

/** Limit of an item's bytes, as in intake. */
const ITEM_BYTES_MAX = 256 * 1024;

/** Validates a row as intake validates an item. */
export function validateRow(row: Row, judging: RowJudging): ValidatedRow {
  const { account, operation, reader, header, nowMs, suppressTriggers } = judging;
  const misshapen = misshapenBy(row, judging);
  if (misshapen !== undefined)
    return rejected(row, judging, { code: "VALIDATION_ERROR", path: null, message: misshapen });
  const own = row.kind === "object" ? findForbidden(row.members) : undefined;
  if (own !== undefined) return rejected(row, judging, { ...own, code: "VALIDATION_ERROR" });
  const read = reader.read(row);
  if (read.kind === "refused") return rejected(row, judging, read);
  const forbidden = findForbidden(read.item);
  if (forbidden !== undefined) {
    const path = pathInRow(forbidden.path, row, header);
    return rejected(row, judging, { ...forbidden, code: "VALIDATION_ERROR", path });
  }
  // A row may name a contact and say nothing more of it.
  const result = validateItem(operation, account, read.item, { nowMs, scopes: [], isPush: true });
  if (result.kind === "rejected") {
    const [first] = result.details;
    const { path = "", message = "The row is invalid." } = first ?? {};
    return rejected(row, judging, { code: result.code, path: pathInRow(path, row, header), message });
  }
  const [record] = result.records;
  if (record === undefined) throw new Error(`${operation.name} made no record of a row`);
  const suppresses = suppressTriggers === undefined ? {} : { suppressTriggers };
  const members = { ...suppresses, ...record.members, ...read.more };
  const { joinsNewList = false, ignored = [] } = read;
  judging.warnings.ignored.add([...ignored, ...namesOfIgnored(result.warnings)]);
  judging.warnings.invalidAddresses.add(namesOfInvalidAddresses(result.warnings));
  judging.warnings.similarNames.add(namesOfSimilar(result.warnings));
  judging.warnings.missingValues.add(namesOfMissing(result.warnings));
  judging.warnings.marked.add(namesOfMarked(row, judging));
  return { kind: "accepted", row, record: { identity: record.identity, members }, joinsNewList };
}

/** Returns why a row cannot be one of its source; undefined for one that can. */
export function misshapenBy(row: Row, { header, unnamed }: Pick<RowJudging, "header" | "unnamed">): string | undefined {
  if (row.kind === "broken") return row.message;
  if (row.kind === "cells" && header !== null && row.cells.length !== header.length)
    return `The row has ${row.cells.length} cells, and the header ${header.length}.`;
  const said = unnamed && unnamedCell(row, unnamed);
  return said === undefined ? undefined : `The row has a value in column ${said + 1}, which has no name.`;
}

interface Reason {
  readonly code: string;
  readonly path: string | null;
  readonly message: string;
}

function rejected(row: Row, { header }: RowJudging, { code, path, message }: Reason): ValidatedRow {
  const { index, line } = row;
  return { kind: "rejected", rejection: { index, line, code, message, path, record: rowView(row, header) } };
}

export interface RowStamp {
  readonly jobId: string;
  readonly nowMs: number;
  readonly partitions: number;
}

/** @returns undefined for a record that is larger than intake takes. */
export function toEntry({ row, record }: AcceptedRow, { jobId, nowMs, partitions }: RowStamp): FrameEntry | undefined {
  const { identity, members } = record;
  const text = JSON.stringify({ id: `${jobId}:${row.index}:0`, receivedAt: nowMs, row: row.index, ...members });
  if (text.length > ITEM_BYTES_MAX || Buffer.byteLength(text) > ITEM_BYTES_MAX) return undefined;
  return { partition: partitionOf(identity, partitions), key: identity, text };
}

export function tooLarge(row: Row, judging: RowJudging): JobRejection {
  const message = `The row exceeds ${ITEM_BYTES_MAX} bytes as a record.`;
  const validated = rejected(row, judging, { code: "PAYLOAD_TOO_LARGE", path: null, message });
  if (validated.kind !== "rejected") throw new Error("a row that is too large is rejected");
  return validated.rejection;
}
