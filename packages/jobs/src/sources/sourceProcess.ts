import { type AskHost, type Refusable, refusable, serveTasks } from "@headwater/sandbox/serve";
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

/** Result of a task; a refusal is a sentence for the owner of the source. */
export type SourceResult<Output> = Refusable<Output, string>;

interface SourceTask {
  readonly bytes: number;
}

const sourceTasks = {
  /** Finds how a source is packed and written. */
  findForm: ({ bytes, encoding }: SourceTask & { readonly encoding: string | undefined }, ask: AskHost) =>
    reading(() => findForm(new HostFile(bytes, ask), encoding)),
  /** Hands the plain bytes of a source to the host, in UTF-8 where it has an encoding. */
  unpack: (input: PackedText, ask: AskHost) => reading(() => writeToHost(readPlain(input, ask), ask)),
  /** Hands the first sheet of a workbook to the host, as csv. */
  writeSheet: (input: PackedWorkbook, ask: AskHost) => reading(() => writeToHost(readWorkbook(input, ask), ask)),
  /** Hands the rows of a Parquet file to the host, as lines of JSON. */
  writeRows: ({ bytes }: SourceTask, ask: AskHost) =>
    reading(async () => {
      const { columns, text } = await openParquet(new HostFile(bytes, ask));
      await writeToHost(text, ask);
      return { columns };
    }),
  /** Returns whether the text of a source holds one of those that are searched for. */
  search: (
    { bytes, form, searched }: SourceTask & { readonly form: SourceForm; readonly searched: readonly SearchedText[] },
    ask: AskHost,
  ) => reading(() => holdsAny(readText(bytes, form, ask), searched)),
};

/** Tasks of the processes that read sources of imports. */
export type SourceTasks = typeof sourceTasks;

function reading<Output>(run: () => Promise<Output>): Promise<SourceResult<Output>> {
  return refusable(run, (error) => (error instanceof SourceRefused ? error.message : undefined));
}

await serveTasks(sourceTasks);
