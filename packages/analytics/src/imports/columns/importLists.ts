import { type JobInput, shapes } from "@headwater/contracts";
import { listIdOf, listIdsByText } from "@headwater/criteria";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { importFailed } from "@headwater/jobs/sources/importError";
import { createMissingLists } from "@headwater/records/lists/lists";
import { findNamedLists } from "@headwater/records/lists/namedLists";
import type { Reading } from "../importKind.ts";

/** The lists of an import: those that its columns name, and those that every row is put on or taken off. */
export interface ImportLists {
  /** Names in lower case and ids as text, as they were given, of those that are there. */
  readonly names: ReadonlySet<string>;
  /** Ids by those. */
  readonly ids: ReadonlyMap<string, number>;
  readonly ofAll: ReadonlyMap<number, boolean>;
  /** Names that are brought up. */
  readonly missing: readonly string[];
  /** Names of a dry run, which makes no lists, in lower case. */
  readonly wouldBeMade: ReadonlySet<string>;
  /** Makes those that are not there yet. @throws HeadwaterError for names that no list may have, and in an account with `strictLists`. */
  make(names: readonly string[]): Promise<void>;
}

const PREFIX = "lists.";
const LIST_ID = /^[1-9][0-9]{0,9}$/;

export async function listsOfImport(
  reading: Reading<JobInput<"ImportContacts">>,
  paths: readonly string[],
  ports: Pick<JobPorts, "postgres">,
): Promise<ImportLists> {
  const lists = new KnownLists(reading, ports);
  const { addTo = [], removeFrom = [] } = reading.input.lists ?? {};
  const [added, removed] = [addTo.map(String), removeFrom.map(String)];
  const columns = paths.map((path) => (path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path));
  await lists.find([...columns, ...added, ...removed]);
  await lists.make(added);
  for (const name of added) lists.forAll(name, true);
  // Nobody is on a list that is not there.
  for (const name of removed) lists.forAll(name, false);
  return lists;
}

class KnownLists implements ImportLists {
  readonly #reading: Reading<JobInput<"ImportContacts">>;
  readonly #ports: Pick<JobPorts, "postgres">;
  readonly ids = new Map<string, number>();
  readonly ofAll = new Map<number, boolean>();
  readonly missing: string[] = [];
  readonly wouldBeMade = new Set<string>();

  constructor(reading: Reading<JobInput<"ImportContacts">>, ports: Pick<JobPorts, "postgres">) {
    this.#reading = reading;
    this.#ports = ports;
  }

  get names(): ReadonlySet<string> {
    return new Set(this.ids.keys());
  }

  async find(provided: readonly string[]): Promise<void> {
    const account = this.#reading.account.number;
    const ids = provided.flatMap((reference) => listIdOf(reference) ?? []);
    const found = await findNamedLists(this.#ports.postgres, { account, names: provided, ids });
    const references = provided.map((reference) => reference.toLowerCase());
    for (const [reference, id] of listIdsByText(references, found)) this.ids.set(reference, id);
  }

  async make(names: readonly string[]): Promise<void> {
    const isKnown = (name: string) => this.ids.has(name) || this.wouldBeMade.has(name);
    const unknown = [...new Set(names)].filter((name) => !isKnown(name.toLowerCase()));
    if (unknown.length === 0) return;
    await this.find(unknown);
    const missing = unknown.filter((name) => !this.ids.has(name.toLowerCase()));
    if (missing.length === 0) return;
    this.#refuse(missing);
    const { account, isDryRun, nowMs } = this.#reading;
    const known = new Set(this.missing);
    this.missing.push(...missing.filter((name) => !known.has(name)).slice(0, MISSING_MAX - known.size));
    if (isDryRun) {
      for (const name of missing) this.wouldBeMade.add(name.toLowerCase());
      return;
    }
    const listsMax = account.settings.limits.listsPerAccount;
    await this.#ports.postgres.transaction((transaction) =>
      createMissingLists(transaction, { account: account.number, names: missing, createdAt: nowMs, listsMax }),
    );
    await this.find(missing);
  }

  forAll(name: string, present: boolean): void {
    const id = this.ids.get(name.toLowerCase());
    if (id !== undefined) this.ofAll.set(id, present);
  }

  #refuse(missing: readonly string[]): void {
    const { strictLists } = this.#reading.account.settings;
    const view = missing
      .slice(0, DISPLAYED_NAMES_MAX)
      .map((name) => JSON.stringify(name.slice(0, 128)))
      .join(", ");
    if (strictLists) throw importFailed(`The account accepts only existing lists, and these do not exist: ${view}.`);
    const wrong = missing.filter((name) => LIST_ID.test(name) || !shapes.listTarget.listName.safeParse(name).success);
    if (wrong.length > 0)
      throw importFailed(
        `These are no names or ids of lists: ${wrong
          .slice(0, DISPLAYED_NAMES_MAX)
          .map((name) => JSON.stringify(name.slice(0, 128)))
          .join(", ")}.`,
      );
  }
}

const DISPLAYED_NAMES_MAX = 20;
const MISSING_MAX = 1_000;
