import type { ProductBody } from "@headwater/contracts";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import { defineJobWithOutside, type JobKind } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { upsertProducts } from "@headwater/records/products/upsertProducts";
import type { Mapper } from "./createMapper.ts";
import { readMadeProduct } from "./products.ts";
import {
  beginRun,
  type MadeRows,
  nextMade,
  type RunBegun,
  type RunWork,
  rejectionOf,
  reportOf,
  runProgress,
  startOf,
} from "./runSource.ts";

/** Rows of the source that a step reads, and products that they may make: they are written in one transaction. */
const ROWS_AT_A_STEP = 100;
const PRODUCTS_AT_A_STEP = 10_000;

type Outside =
  | RunBegun
  | {
      readonly kind: "rows";
      readonly done: MadeRows;
      readonly products: readonly ProductBody[];
      readonly rejections: readonly JobRejection[];
    };

/** Writes made products, and how far the run is, in one transaction: a kill repeats a step, and none of it is there twice. */
export function writeMadeProducts({ mapper }: { readonly mapper: Mapper }): JobKind {
  return defineJobWithOutside({
    jobName: "DataAutomationProcessList",
    progress: runProgress,
    async outside(work: RunWork, ports): Promise<Outside> {
      const { account, input, progress, nowMs } = work;
      if (progress === undefined || "phase" in progress) return beginRun(work, progress?.since ?? nowMs, ports);
      const products: ProductBody[] = [];
      const rejections: JobRejection[] = [];
      const limits = { account, input, rowsMax: ROWS_AT_A_STEP, recordsMax: PRODUCTS_AT_A_STEP };
      const done = await nextMade(progress, limits, { ports, mapper }, async (rows) => {
        const read = await runInSlices(mapInSteps(rows, (row) => ({ row, made: productOf(row) })));
        for (const { row, made } of read) {
          if (made.kind === "product") products.push(made.product);
          else rejections.push(rejectionOf(row, made));
        }
      });
      return { kind: "rows", done, products, rejections };
    },
    step: writeStep,
  });
}

function productOf(row: Row) {
  return row.kind === "object" ? readMadeProduct(JSON.stringify(row.members)) : refusedRow(row);
}

function refusedRow(row: { readonly kind: string; readonly message?: string }) {
  return {
    kind: "refused",
    code: "VALIDATION_ERROR",
    path: null,
    message: row.message ?? "The row cannot be read.",
  } as const;
}

async function writeStep({ account, progress, nowMs }: RunWork, transaction: Transaction, outside: Outside) {
  if (outside.kind === "begun") {
    return { kind: "more", progress: startOf(outside.begun), metadata: outside.begun.metadata } as const;
  }
  if (outside.kind === "away") {
    const { seconds, since } = outside;
    return { kind: "wait", progress: { phase: "reach", since }, seconds, isThrottled: true } as const;
  }
  if (progress === undefined || "phase" in progress) throw new Error("a run has a source");
  const { done, products, rejections } = outside;
  const upserted = await upsertProducts(transaction, { account, products, nowMs });
  const written = { ...progress.written };
  for (const { status, isUnchanged } of upserted) {
    written[status === "created" ? "inserted" : isUnchanged ? "ignored" : "updated"] += 1;
  }
  const { isEnd: isRead, at, made } = done;
  const now = { ...progress, at, made, written, rejected: progress.rejected + rejections.length, isRead };
  const report = { ...reportOf(now), rejections };
  return isRead ? ({ kind: "done", ...report } as const) : ({ kind: "more", progress: now, ...report } as const);
}
