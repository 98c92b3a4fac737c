import type { JobInput, ProductBody } from "@headwater/contracts";
import { findForbidden } from "@headwater/http";
import { pointerStep } from "@headwater/kernel";
import { upsertProducts } from "@headwater/projection";
import type { JobRejection } from "@headwater/stores/jobs";
import { rehearse, type Transaction } from "@headwater/stores/postgres";
import { z } from "zod";
import type { JobPorts, StepEnd, Work } from "../runner/jobKind.ts";
import { beginImport, type ImportBegun } from "./beginImport.ts";
import { judgeProduct, productReader } from "./columns/productReader.ts";
import { PREVIEW_ROWS, type TriedRow } from "./dryRun.ts";
import { importPosition, importSource } from "./importProgress.ts";
import { nextRows, type RowsDone } from "./rows/nextRows.ts";
import { shownRow } from "./rows/shownRow.ts";
import type { Row } from "./source/row.ts";

const PRODUCTS_AT_A_STEP = 1_000;
const decimalMembers: ReadonlySet<string> = new Set(["price"]);

const counts = z.object({ inserted: z.number(), updated: z.number(), ignored: z.number(), rejected: z.number() });
export const productsProgress = z.object({ source: importSource, at: importPosition, counts });
type Progress = z.output<typeof productsProgress>;
type Importing = Work<JobInput<"ImportProducts">, Progress>;

interface ReadProduct {
  readonly row: Row;
  readonly product: ProductBody;
}

export type ProductsOutside =
  | { readonly kind: "begun"; readonly begun: ImportBegun }
  | {
      readonly kind: "rows";
      readonly done: RowsDone;
      readonly products: readonly ReadProduct[];
      readonly preview: readonly TriedRow[];
    };

/** Reads the rows of one step. */
export async function importProductsOutside(work: Importing, ports: JobPorts): Promise<ProductsOutside> {
  const { account, input, progress, nowMs } = work;
  const kind = { decimalMembers, reader: productReader };
  if (progress === undefined) return { kind: "begun", begun: await beginImport(work, ports, kind) };
  const { source, at } = progress;
  const { header } = source;
  const reader = await productReader({ account, input, header, isDryRun: input.dryRun === true, nowMs });
  const products: ReadProduct[] = [];
  const preview: TriedRow[] = [];
  const reading = { source, accountId: account.id, at, decimalMembers, rowsMax: PRODUCTS_AT_A_STEP };
  const done = await nextRows(reading, ports, async (rows) => {
    const rejections: JobRejection[] = [];
    for (const row of rows) {
      const read = readProduct(row, header, reader.read);
      if ("product" in read) products.push({ row, product: read.product });
      else rejections.push(read);
      if (row.index >= PREVIEW_ROWS) continue;
      const record = shownRow(row, header);
      if ("product" in read) preview.push({ index: row.index, record, verdict: "updated" });
      else preview.push({ index: row.index, record, verdict: "rejected", code: read.code });
    }
    return { written: 0, rejections };
  });
  return { kind: "rows", done, products, preview };
}

function readProduct(
  row: Row,
  header: readonly string[] | null,
  read: Awaited<ReturnType<typeof productReader>>["read"],
): { readonly product: ProductBody } | JobRejection {
  const { index, line } = row;
  const refused = (message: string, path: string | null = null): JobRejection => {
    return { index, line, code: "VALIDATION_ERROR", message, path, record: shownRow(row, header) };
  };
  if (row.kind === "broken") return refused(row.message);
  if (row.kind === "cells" && header !== null && row.cells.length !== header.length) {
    return refused(`The row has ${row.cells.length} cells, and the header ${header.length}.`);
  }
  const forbidden = row.kind === "object" ? findForbidden(row.members) : undefined;
  if (forbidden !== undefined) return refused(forbidden.message, forbidden.path);
  const item = read(row);
  if (item.kind === "refused") return refused(item.message, item.path);
  const wrong = findForbidden(item.item);
  if (wrong !== undefined) return refused(wrong.message, wrong.path);
  const judged = judgeProduct(item.item);
  return judged.kind === "product" ? judged : refused(judged.message, pathOf(judged.path, header));
}

/** A part of a member stands in the column of its whole path. */
function pathOf(path: string, header: readonly string[] | null): string {
  const name = path.slice(1).replaceAll("/", ".");
  return header?.includes(name) === true ? `/${pointerStep(name)}` : path;
}

/** Writes the products of one step, and how far the import is, in one transaction. */
export async function importProductsStep(
  { account, input, progress, nowMs }: Importing,
  transaction: Transaction,
  outside: ProductsOutside,
): Promise<StepEnd<Progress>> {
  if (outside.kind === "begun") {
    const { source, metadata } = outside.begun;
    const none = { inserted: 0, updated: 0, ignored: 0, rejected: 0 };
    return { kind: "more", progress: { source, at: source.from, counts: none }, metadata };
  }
  if (progress === undefined) throw new Error("an import has no place in its source");
  const { done, preview } = outside;
  const isDryRun = input.dryRun === true;
  const products = outside.products.map(({ product }) => product);
  const upserted = isDryRun
    ? await tried(transaction, { account, products, nowMs })
    : await upsertProducts(transaction, { account, products, nowMs });
  const now = { ...progress.counts, rejected: progress.counts.rejected + done.rejections.length };
  for (const { status, isUnchanged } of upserted) {
    if (status === "created") now.inserted += 1;
    else if (isUnchanged) now.ignored += 1;
    else now.updated += 1;
  }
  const isFirst = isDryRun && progress.at.offset === progress.source.from.offset;
  const report = reportOf(progress, done, now);
  const told = { ...report, metadata: { ...report.metadata, ...(isFirst && { dryRun: true, preview }) } };
  const { stopAfterRejections } = input;
  if (stopAfterRejections !== undefined && now.rejected > stopAfterRejections) {
    const message = `More than ${stopAfterRejections} rows were rejected. What was applied stays.`;
    return { kind: "failed", error: { code: "VALIDATION_ERROR", message }, ...told };
  }
  if (done.isEnd) return { kind: "done", ...told };
  return { kind: "more", progress: { ...progress, at: done.at, counts: now }, ...told };
}

/** Writes, looks, and takes it back. */
async function tried(transaction: Transaction, upsert: Parameters<typeof upsertProducts>[1]) {
  let items: Awaited<ReturnType<typeof upsertProducts>> = [];
  await rehearse(transaction, async (rehearsal) => {
    items = await upsertProducts(rehearsal, upsert);
  });
  return items;
}

function reportOf({ source }: Progress, { at, isEnd, rejections }: RowsDone, counted: Progress["counts"]) {
  const { inserted, updated, ignored, rejected } = counted;
  const total = inserted + updated + ignored + rejected;
  return {
    completedItems: total,
    result: { totalRecords: total, inserted, updated, ignored, rejected },
    metadata: { progress: { bytes: isEnd ? source.file.bytes : at.offset, bytesTotal: source.file.bytes } },
    ...(isEnd && { totalItems: total }),
    rejections,
  };
}
