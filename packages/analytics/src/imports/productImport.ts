import type { JobInput, ProductBody } from "@headwater/contracts";
import { findForbidden } from "@headwater/http";
import type { ImportStrategy } from "@headwater/intake/operations/importStrategy";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { JobPorts, StepEnd, Work } from "@headwater/jobs/runner/jobKind";
import type { Source } from "@headwater/jobs/sources/openRows";
import type { Row } from "@headwater/jobs/sources/row";
import { pointerStep } from "@headwater/kernel";
import { rehearse } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import { loadProducts } from "@headwater/records/products/postgres";
import { type UpsertedProduct, upsertProducts } from "@headwater/records/products/upsertProducts";
import { z } from "zod";
import { beginImport, type ImportBegun } from "./beginImport.ts";
import { type ProductRead, productReader, validateProduct } from "./columns/productReader.ts";
import { PREVIEW_ROWS, type TriedRow } from "./dryRun.ts";
import { importPosition, importSource, reaching } from "./importProgress.ts";
import { ALL_ROWS_REJECTED, tooManyRejected, warningsView } from "./importSteps.ts";
import { nextRows, type RowsDone } from "./rows/nextRows.ts";
import { rowView } from "./rows/rowView.ts";
import { misshapenBy } from "./rows/toRecords.ts";
import { namesOfMarked, RowWarnings, type WarnedRows } from "./rowWarnings.ts";

const PRODUCTS_AT_A_STEP = 1_000;
const decimalMembers: ReadonlySet<string> = new Set(["price"]);

const counts = z.object({ inserted: z.number(), updated: z.number(), ignored: z.number(), rejected: z.number() });
const rowsByName = z.record(z.string(), z.number()).optional();
const writing = z.object({
  source: importSource,
  at: importPosition,
  counts,
  ignored: rowsByName,
  marked: rowsByName,
});
export const productsProgress = z.union([reaching, writing]);
type Progress = z.output<typeof productsProgress>;
type ProductsAt = z.output<typeof writing>;
type Importing = Work<JobInput<"ImportProducts">, Progress>;

interface ReadProduct {
  readonly row: Row;
  readonly product: ProductBody;
}

export type ProductsOutside =
  | { readonly kind: "begun"; readonly begun: ImportBegun }
  | { readonly kind: "away"; readonly since: number; readonly seconds: number }
  | {
      readonly kind: "rows";
      readonly done: RowsDone;
      readonly products: readonly ReadProduct[];
      readonly warned: Pick<WarnedRows, "ignored" | "marked">;
      /** Rows of the preview that are rejected. */
      readonly rejected: readonly TriedRow[];
      readonly header: readonly string[] | null;
    };

/** Reads the rows of one step. */
export async function importProductsOutside(work: Importing, ports: JobPorts): Promise<ProductsOutside> {
  const { account, input, progress, nowMs } = work;
  if (progress === undefined || "phase" in progress) return begin(work, progress?.since ?? nowMs, ports);
  const { source, at } = progress;
  const { header } = source;
  const reader = await productReader({ account, input, header, isDryRun: input.dryRun === true, nowMs });
  const products: ReadProduct[] = [];
  const warnings = new RowWarnings(progress);
  const rejected: TriedRow[] = [];
  const { stopAfterRejections = Number.POSITIVE_INFINITY } = input;
  let left = stopAfterRejections - progress.counts.rejected;
  const reading = { source, accountId: account.id, at, decimalMembers, rowsMax: PRODUCTS_AT_A_STEP };
  const done = await nextRows(reading, ports, async (rows) => {
    const rejections: JobRejection[] = [];
    for (const row of rows) {
      const read = readProduct(row, source, reader.read);
      if ("product" in read) {
        products.push({ row, product: read.product });
        warnings.ignored.add(read.ignored);
        warnings.marked.add(namesOfMarked(row, { header, isFormulaSafe: source.form.isFormulaSafe }));
      } else {
        rejections.push(read);
        const { index, record, code } = read;
        if (index < PREVIEW_ROWS) rejected.push({ index, record, verdict: "rejected", code });
        left -= 1;
        if (left < 0) break;
      }
    }
    return { written: 0, rejections, isLast: left < 0 };
  });
  const { ignored, marked } = warnings.counts;
  return { kind: "rows", done, products, warned: { ignored, marked }, rejected, header };
}

async function begin(work: Importing, since: number, ports: JobPorts): Promise<ProductsOutside> {
  const begun = await beginImport({ ...work, since }, ports, { decimalMembers, reader: productReader });
  return "kind" in begun ? { ...begun, since } : { kind: "begun", begun };
}

function readProduct(
  row: Row,
  source: Pick<Source, "header" | "unnamed">,
  read: Awaited<ReturnType<typeof productReader>>["read"],
): Extract<ProductRead, { kind: "product" }> | JobRejection {
  const { index, line } = row;
  const { header } = source;
  const refused = (message: string, path: string | null = null): JobRejection => {
    return { index, line, code: "VALIDATION_ERROR", message, path, record: rowView(row, header) };
  };
  const misshapen = misshapenBy(row, source);
  if (misshapen !== undefined) return refused(misshapen);
  const forbidden = row.kind === "object" ? findForbidden(row.members) : undefined;
  if (forbidden !== undefined) return refused(forbidden.message, forbidden.path);
  const item = read(row);
  if (item.kind === "refused") return refused(item.message, item.path);
  const wrong = findForbidden(item.item);
  if (wrong !== undefined) return refused(wrong.message, wrong.path);
  const validated = validateProduct(item.item);
  return validated.kind === "product" ? validated : refused(validated.message, pathOf(validated.path, header));
}

/** A part of a member stands in the column of its whole path. */
function pathOf(path: string, header: readonly string[] | null): string {
  const name = path.slice(1).replaceAll("/", ".");
  return header?.includes(name) === true ? `/${pointerStep(name)}` : path;
}

/** Writes the products of one step, and how far the import is, in one transaction. */
export async function importProductsStep(
  work: Importing,
  transaction: Transaction,
  outside: ProductsOutside,
): Promise<StepEnd<Progress>> {
  if (outside.kind === "begun") {
    const { source, metadata } = outside.begun;
    const none = { inserted: 0, updated: 0, ignored: 0, rejected: 0 };
    return { kind: "more", progress: { source, at: source.from, counts: none }, metadata };
  }
  if (outside.kind === "away") {
    const { seconds, since } = outside;
    return { kind: "wait", progress: { phase: "reach", since }, seconds, isThrottled: true };
  }
  const { progress, input } = work;
  if (progress === undefined || "phase" in progress) throw new Error("an import has no place in its source");
  const { done, warned } = outside;
  const written = await writeProducts(work, transaction, outside);
  const now = { ...progress.counts, rejected: progress.counts.rejected + done.rejections.length };
  for (const { verdict: outcome } of written) now[outcome] += 1;
  const { stopAfterRejections: limit } = input;
  const isStopped = limit !== undefined && now.rejected > limit;
  const before = { ...progress, ...warned };
  const report = reportOf(before, { ...done, isStopped }, now);
  const isFirst = input.dryRun === true && progress.at.offset === progress.source.from.offset;
  const withPreview = { ...report, metadata: { ...report.metadata, ...(isFirst && previewOf(written, outside)) } };
  if (isStopped) return { kind: "failed", error: tooManyRejected(limit), ...withPreview };
  if (done.isEnd && now.rejected > 0 && now.inserted + now.updated + now.ignored === 0)
    return { kind: "failed", error: ALL_ROWS_REJECTED, ...withPreview };
  if (done.isEnd) return { kind: "done", ...withPreview };
  return { kind: "more", progress: { ...before, at: done.at, counts: now }, ...withPreview };
}

interface WrittenProduct {
  readonly row: Row;
  readonly verdict: "inserted" | "updated" | "ignored";
  readonly match: "new" | "existing";
  readonly code?: string;
}

type RowsOutside = Extract<ProductsOutside, { kind: "rows" }>;

/** Writes those that the strategy lets pass; a dry run takes it back. */
async function writeProducts(
  { account, input, nowMs }: Importing,
  transaction: Transaction,
  { products: read }: RowsOutside,
): Promise<WrittenProduct[]> {
  const known = await knownProducts(transaction, account.number, read);
  const { strategy = "upsert" } = input;
  const passing = read.filter(({ product: { productID } }) => {
    const isKnown = known.has(productID);
    if (strategy === "insertOnly") known.add(productID);
    return strategy === "upsert" || isKnown === (strategy === "updateOnly");
  });
  const products = passing.map(({ product }) => product);
  let upserted: readonly UpsertedProduct[] = [];
  const write = async (session: Transaction) => {
    upserted = await upsertProducts(session, { account, products, nowMs });
  };
  if (input.dryRun === true) await rehearse(transaction, write);
  else await write(transaction);
  const items = new Map(passing.map((one, position) => [one, upserted[position]]));
  return read.map((one): WrittenProduct => resultOf(one.row, items.get(one), strategy));
}

function resultOf(row: Row, item: UpsertedProduct | undefined, strategy: ImportStrategy): WrittenProduct {
  if (item === undefined) {
    const isKnown = strategy === "insertOnly";
    const code = isKnown ? "UPDATE_NOT_ALLOWED" : "CREATE_NOT_ALLOWED";
    return { row, verdict: "ignored", match: isKnown ? "existing" : "new", code };
  }
  if (item.status === "created") return { row, verdict: "inserted", match: "new" };
  if (item.isUnchanged) return { row, verdict: "ignored", match: "existing", code: "UNCHANGED" };
  return { row, verdict: "updated", match: "existing" };
}

async function knownProducts(transaction: Transaction, account: number, read: readonly ReadProduct[]) {
  const keys = read.map(({ product: { productID: productId } }) => ({ account, productId }));
  const stored = await loadProducts(transaction, keys);
  return new Set(stored.filter(({ deletedAt }) => deletedAt === null).map(({ productId }) => productId));
}

function previewOf(written: readonly WrittenProduct[], { rejected, header }: RowsOutside): object {
  const tried = written
    .filter(({ row }) => row.index < PREVIEW_ROWS)
    .map(({ row, ...rest }): TriedRow => ({ index: row.index, record: rowView(row, header), ...rest }));
  const preview = [...tried, ...rejected].sort((one, other) => one.index - other.index);
  return { dryRun: true, preview, newAttributes: [], newLists: [] };
}

function reportOf(
  { source, ignored: ignoredMembers, marked }: ProductsAt,
  { at, isEnd, isStopped, rejections }: RowsDone & { readonly isStopped: boolean },
  counted: ProductsAt["counts"],
) {
  const { inserted, updated, ignored, rejected } = counted;
  const total = inserted + updated + ignored + rejected;
  return {
    completedItems: total,
    result: { totalRecords: total, inserted, updated, ignored, rejected },
    metadata: {
      progress: { bytes: isEnd && !isStopped ? source.file.bytes : at.offset, bytesTotal: source.file.bytes },
      ...warningsView({ ignored: ignoredMembers, marked }),
    },
    ...(isEnd && { totalItems: total }),
    rejections,
  };
}
