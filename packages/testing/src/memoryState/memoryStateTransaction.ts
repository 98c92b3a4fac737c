import type { Account, RejectKey } from "@headwater/contracts";
import type { LockedReject } from "@headwater/intake/deadLetters/rejects";
import type { RecordKey } from "@headwater/intake/receipts/appliedRecords";
import type { ImportKey } from "@headwater/intake/state/importCounts";
import type { BatchEnd, StateTransaction } from "@headwater/intake/state/stateStore";
import type { EventTrigger } from "@headwater/intake/triggers/eventTriggers";
import type { Listener } from "@headwater/intake/triggers/listeners";
import { DocumentsTooLarge } from "@headwater/postgres/connection/failures";
import type { OutboxRow } from "@headwater/postgres/outbox/outbox";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { ErasedIdentifier } from "@headwater/records/erasures/erasures";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import { type LoadedRows, listIdKey, listNameKey, type StateRead } from "@headwater/records/unitOfWork/loadedRows";
import { attributesExceeded } from "@headwater/records/writes/attributeRoom";
import { nothingMoved, type StoredChanges } from "@headwater/records/writes/storeBatch";
import { rejectName, storeMemoryEnd } from "./memoryEnd.ts";
import { copyTables, type MemoryTables } from "./memoryTables.ts";

/** Facts of the store that no transaction changes. */
export interface MemoryFacts {
  /** Contacts that may be loaded at once. */
  contactsMax: number;
  /** Hashes of identifiers of erased contacts. */
  erased: readonly ErasedIdentifier[];
  readonly erasureSecret: Buffer;
  /** Last position that was taken in the outbox. */
  position: number;
}

type Listing = Parameters<StateTransaction["ensureLists"]>[0][number];
type CreatedLists = Awaited<ReturnType<StateTransaction["ensureLists"]>>;

/** One transaction over the state in memory: it sees what was stored before it and what it wrote itself. */
export class MemoryStateTransaction implements StateTransaction {
  tables: MemoryTables;
  readonly #facts: MemoryFacts;

  constructor(tables: MemoryTables, facts: MemoryFacts) {
    this.tables = tables;
    this.#facts = facts;
  }

  /** Transactions in memory run one after another. */
  lockAccounts(): Promise<void> {
    return Promise.resolve();
  }

  async eventTriggers(accounts: ReadonlySet<number>): Promise<readonly EventTrigger[]> {
    return this.tables.triggers.filter(({ account }) => accounts.has(account));
  }

  async listeners(accounts: ReadonlySet<number>): Promise<readonly Listener[]> {
    return this.tables.listeners.filter(({ account }) => accounts.has(account));
  }

  async messageChannels(keys: Parameters<StateTransaction["messageChannels"]>[0]) {
    const { messages } = this.tables;
    return messages.filter((one) => keys.some((key) => key.account === one.account && key.message === one.message));
  }

  async ensureLists(records: readonly Listing[]): Promise<CreatedLists> {
    const created = new Map<number, readonly number[]>();
    for (const { account, operation, reads } of records) {
      const { listName: name } = reads;
      if (name === undefined || operation.name !== "addContactsToList" || account.settings.strictLists) continue;
      const { lists } = this.tables.state;
      if (lists.has(listNameKey(account.number, name))) continue;
      const own = new Set([...lists].filter(([key]) => key.startsWith(`${account.number}\n`)).map(([, { id }]) => id));
      if (own.size >= account.settings.limits.listsPerAccount) continue;
      const id = Math.max(0, ...own) + 1;
      this.tables.state.defineList(account.number, { id, name, clearedVersion: undefined });
      created.set(account.number, [...(created.get(account.number) ?? []), id]);
    }
    return created;
  }

  async deleteUnusedLists(
    built: CreatedLists,
    { memberships }: { readonly memberships: readonly BatchChanges["memberships"][] },
  ): Promise<void> {
    const changed = memberships.flatMap((changes) => [...changes.values()]);
    for (const [account, ids] of built) {
      for (const id of ids) {
        if (changed.some((one) => one.account === account && one.membership.list === id)) continue;
        const { lists } = this.tables.state;
        lists.delete(listNameKey(account, lists.get(listIdKey(account, id))?.name ?? ""));
        lists.delete(listIdKey(account, id));
      }
    }
  }

  async appliedRecords(keys: readonly RecordKey[]): Promise<ReadonlySet<string>> {
    return new Set(keys.map(({ recordId }) => recordId).filter((id) => this.tables.applied.has(id)));
  }

  async lockRejects(keys: readonly RejectKey[]): Promise<readonly LockedReject[]> {
    const rows = keys.map((key) => this.tables.rejects.get(rejectName(key))).filter((row) => row !== undefined);
    return rows.map(({ account, recordId, status, attempts, redrive, redriveOutcome, quarantinedBy = null }) => {
      return { account, recordId, status, attempts, redrive, redriveOutcome, quarantinedBy };
    });
  }

  async importedRows(imports: readonly ImportKey[], partition: number) {
    return imports.flatMap(({ account, job }) => {
      const lastRow = this.tables.imported.get(`${account} ${job} ${partition}`);
      return lastRow === undefined ? [] : [{ account, job, lastRow }];
    });
  }

  async erasedFrom(version: string): Promise<readonly ErasedIdentifier[]> {
    return this.#facts.erased.filter((one) => one.version >= version);
  }

  async erasureSecret(): Promise<Buffer> {
    return this.#facts.erasureSecret;
  }

  async attributesOf(account: number): Promise<readonly string[]> {
    return [...(this.tables.attributes.get(account) ?? [])];
  }

  /** Loads what every fold sees; all else when it is asked for. */
  async loadRows(_records: readonly unknown[], rows: LoadedRows, last?: () => Promise<unknown>): Promise<void> {
    for (const [account, clears] of this.tables.state.attributeClears) rows.attributeClears.set(account, clears);
    await last?.();
  }

  async loadReads(reads: readonly StateRead[], rows: LoadedRows): Promise<void> {
    const contacts = rows.contacts.size + reads.filter(({ kind }) => kind === "contact").length;
    if (contacts > this.#facts.contactsMax) throw new DocumentsTooLarge("the documents do not fit");
    for (const read of reads) this.tables.state.load(rows, read);
  }

  async takeOutboxPositions(count: number): Promise<number[]> {
    return Array.from({ length: count }, () => ++this.#facts.position);
  }

  async storeChanges({ changes }: { readonly changes: BatchChanges }): Promise<StoredChanges> {
    const { state } = this.tables;
    const aliases = [...state.aliases];
    const before = changes.merges.map(({ merged: { number } }) => {
      return [number, aliases.filter(([, to]) => to === number).map(([from]) => from)] as const;
    });
    state.store(changes);
    return { ...nothingMoved, aliasesBefore: new Map(before) };
  }

  async appendOutbox(rows: readonly OutboxRow[]): Promise<void> {
    this.tables.outbox.push(...rows);
  }

  async emitKeptMembers(): Promise<number> {
    return 0;
  }

  async defineWritten(
    { contacts }: Pick<BatchChanges, "contacts">,
    { accounts }: { readonly accounts: ReadonlyMap<number, Account> },
  ): Promise<void> {
    for (const { contact, fields } of contacts.values()) {
      const before = this.tables.attributes.get(contact.account)?.size ?? 0;
      const names = new Set(this.tables.attributes.get(contact.account));
      fields.forEach((path, value) => {
        if (value !== null && path.startsWith(PREFIX)) names.add(path.slice(PREFIX.length));
      });
      this.tables.attributes.set(contact.account, names);
      const max = accounts.get(contact.account)?.settings.limits.attributesPerAccount ?? Number.POSITIVE_INFINITY;
      if (names.size > before && names.size > max) throw attributesExceeded(max);
    }
  }

  async storeEnd(_key: OffsetKey, end: BatchEnd): Promise<void> {
    storeMemoryEnd(this.tables, end);
  }

  async savepoint<Result>(run: (part: StateTransaction) => Promise<Result>): Promise<Result> {
    const part = new MemoryStateTransaction(copyTables(this.tables), this.#facts);
    const result = await run(part);
    this.tables = part.tables;
    return result;
  }

  async rehearse(run: (part: StateTransaction) => Promise<unknown>): Promise<void> {
    await run(new MemoryStateTransaction(copyTables(this.tables), this.#facts));
  }
}

const PREFIX = "attributes.";
