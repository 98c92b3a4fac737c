import { type AskHost, serveTasks } from "@headwater/sandbox/serve";
import { HostFile, writeToHost } from "./hostFile.ts";
import { openParquet } from "./parquet/parquetText.ts";
import {
  findForm,
  type PackedText,
  type PackedWorkbook,
  readPlain,
  readText,
  readWorkbook,
  type SourceForm,
} from "./sourceForm.ts";
import { SourceRefused } from "./sourceRefused.ts";
import { holdsAny, type SearchedText } from "./textSearch.ts";

/** Result of a task as a value that goes between processes. */
export type SourceResult<Output> =
  | { readonly kind: "read"; readonly output: Output }
  | { readonly kind: "refused"; readonly message: string };

interface SourceTask {
  readonly bytes: number;
}

const sourceTasks = {
  /** Finds how a source is packed and written. */
  findForm: ({ bytes, encoding }: SourceTask & { readonly encoding: string | undefined }, ask: AskHost) =>
    refusable(() => findForm(new HostFile(bytes, ask), encoding)),
  /** Hands the plain bytes of a source to the host, in UTF-8 where it has an encoding. */
  unpack: (input: PackedText, ask: AskHost) => refusable(() => writeToHost(readPlain(input, ask), ask)),
  /** Hands the first sheet of a workbook to the host, as csv. */
  writeSheet: (input: PackedWorkbook, ask: AskHost) => refusable(() => writeToHost(readWorkbook(input, ask), ask)),
  /** Hands the rows of a Parquet file to the host, as lines of JSON. */
  writeRows: ({ bytes }: SourceTask, ask: AskHost) =>
    refusable(async () => {
      const { columns, text } = await openParquet(new HostFile(bytes, ask));
      await writeToHost(text, ask);
      return { columns };
    }),
  /** Returns whether the text of a source holds one of those that are looked for. */
  search: (
    { bytes, form, searched }: SourceTask & { readonly form: SourceForm; readonly searched: readonly SearchedText[] },
    ask: AskHost,
  ) => refusable(() => holdsAny(readText(bytes, form, ask), searched)),
};

/** Tasks of the processes that read sources of imports. */
export type SourceTasks = typeof sourceTasks;

async function refusable<Output>(run: () => Promise<Output>): Promise<SourceResult<Output>> {
  try {
    return { kind: "read", output: await run() };
  } catch (error) {
    if (error instanceof SourceRefused) return { kind: "refused", message: error.message };
    throw error;
  }
}

await serveTasks(sourceTasks);
