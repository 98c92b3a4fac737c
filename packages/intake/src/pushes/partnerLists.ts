import type { Account } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { type Clock, HeadwaterError, systemClock, withTimeout } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { createPartnerListChange } from "@headwater/records/lists/partnerListChanges";
import {
  archivePartnerList,
  ensurePartnerList,
  findPartnerList,
  freePartnerListName,
  type NewPartnerList,
  openPartnerList,
  type PartnerListKey,
  type PartnerListRow,
  renamePartnerList,
} from "@headwater/records/lists/partnerLists";
import type { PartnerName } from "../partners/endpoint.ts";
import { type ListNames, listNamesOf } from "../partners/listNames.ts";
import type { ListChange, PartnerList } from "../partners/push.ts";

const FRESH_MS = 5_000;
const LISTS_MAX = 50_000;
/** Time after which an account is asked again whether it has space. */
const FULL_MS = 1_000;
/** Time for a list that is not known: a busy machine may need most of it. */
const STORE_TIMEOUT_MS = 1_000;
/** Time for a change of a list: one that comes twice waits for the other. */
const CHANGE_TIMEOUT_MS = 2_000;
/** Time that a refresh may take while the former answer can still be used. */
const REFRESH_TIMEOUT_MS = 150;

/** A list of ours, or the name an unknown one would have. */
export type FoundList =
  | ({ readonly kind: "list" } & PartnerListRow)
  | { readonly kind: "unknown"; readonly name: string };

/** The account as far as its lists are concerned. */
type Owner = Pick<Account, "number" | "settings">;

/** Lists of partners, by the partner's id. Every method throws a 503 when the store is away and the list is not known. */
export interface PartnerLists {
  /** The list a part is about; made when it may be, and when the account has space for it: without space it stays unknown. */
  resolve(account: Owner, partner: PartnerName, list: PartnerList): Promise<FoundList>;
  /**
   * Makes the change, unless it was made under its name before.
   * @returns the list's id; undefined when there is no such list.
   * @throws HeadwaterError 422 when there is no space for a list that is to be made.
   */
  change(account: Owner, partner: PartnerName, change: ListChange): Promise<number | undefined>;
}

/** Bindings in the ingress's schema, and known ones in memory: with Postgres away the lists that were seen go on. */
export function createPartnerLists(postgres: Postgres, clock?: Clock): PartnerLists {
  return new StoredPartnerLists(postgres, clock);
}

class StoredPartnerLists implements PartnerLists {
  readonly #postgres: Postgres;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly row: PartnerListRow; readonly readAtMs: number }>();
  /** Times at which an account had no space, by its number: a push of thousands of new lists asks once. */
  readonly #full = new Map<number, number>();

  constructor(postgres: Postgres, clock: Clock = systemClock) {
    this.#postgres = postgres;
    this.#clock = clock;
  }

  async resolve(account: Owner, partner: PartnerName, list: PartnerList): Promise<FoundList> {
    const key = keyOf(account, partner, list);
    const found = await this.#read(key);
    if (found !== undefined) return { kind: "list", ...found };
    const names = listNamesOf(partner, list);
    const created = list.isMade
      ? await this.#create(account, key, names).catch((error: unknown) => Promise.reject(away(error)))
      : undefined;
    // Where there was no space, the record names a list that is not there: it is rejected as those of intake are.
    return created === undefined
      ? { kind: "unknown", name: await this.#nameOfUnknown(account.number, names) }
      : { kind: "list", ...created };
  }

  /** Changes are read again by this process at once, by others within seconds. */
  async change(account: Owner, partner: PartnerName, { kind, list, once }: ListChange): Promise<number | undefined> {
    const key = keyOf(account, partner, list);
    const wanted = this.#wanted(account, key, listNamesOf(partner, list));
    const make = async (transaction: Transaction) => {
      if (!(await appliers[kind](transaction, wanted))) throw noCapacity(account);
    };
    try {
      await withTimeout(() => createPartnerListChange(this.#postgres, { ...key, name: once }, make), CHANGE_TIMEOUT_MS);
      const row = await findPartnerList(this.#postgres, key);
      if (row !== undefined) this.#remember(key, row);
      return row?.list;
    } catch (error) {
      throw error instanceof HeadwaterError && error.code === "ACCOUNT_LISTS_EXCEEDED" ? error : away(error);
    }
  }

  #remember(key: PartnerListKey, row: PartnerListRow): PartnerListRow {
    if (this.#known.size >= LISTS_MAX) this.#known.clear();
    this.#known.set(cacheKey(key), { row, readAtMs: this.#clock.monotonicMs() });
    return row;
  }

  /** @returns undefined when the account has no space for another list. */
  async #create(account: Owner, key: PartnerListKey, names: ListNames) {
    const { number } = account;
    if (this.#clock.monotonicMs() - (this.#full.get(number) ?? Number.NEGATIVE_INFINITY) < FULL_MS) return undefined;
    const wanted = this.#wanted(account, key, names);
    const row = await withTimeout(() => ensurePartnerList(this.#postgres, wanted), STORE_TIMEOUT_MS);
    if (row !== undefined) return this.#remember(key, row);
    if (this.#full.size >= LISTS_MAX) this.#full.clear();
    this.#full.set(number, this.#clock.monotonicMs());
    return undefined;
  }

  #wanted({ number, settings }: Owner, key: PartnerListKey, { displayName, names }: ListNames): NewPartnerList {
    const { listsPerAccount: listsMax } = settings.limits;
    return { ...key, account: number, displayName, names, createdAt: this.#clock.nowMs(), listsMax };
  }

  async #read(key: PartnerListKey): Promise<PartnerListRow | undefined> {
    const entry = this.#known.get(cacheKey(key));
    if (entry !== undefined && this.#clock.monotonicMs() - entry.readAtMs < FRESH_MS) return entry.row;
    try {
      const timeoutMs = entry === undefined ? STORE_TIMEOUT_MS : REFRESH_TIMEOUT_MS;
      const row = await withTimeout(() => findPartnerList(this.#postgres, key), timeoutMs);
      if (row !== undefined) return this.#remember(key, row);
      this.#known.delete(cacheKey(key));
      return undefined;
    } catch (error) {
      if (entry === undefined) throw away(error);
      return this.#remember(key, entry.row);
    }
  }

  /**
   * Returns a name that is free: a list of the partner's own name may stand for another list of a partner. A list of this name that a person
   * created is joined, as intake's own call by name does.
   */
  async #nameOfUnknown(account: number, { names }: ListNames): Promise<string> {
    try {
      return await withTimeout(() => freePartnerListName(this.#postgres, { account, names }), STORE_TIMEOUT_MS);
    } catch (error) {
      throw away(error);
    }
  }
}

/** Each change in the transaction that remembers it. Returns false when the account has no space for the list. */
const appliers: Record<ListChange["kind"], (transaction: Transaction, wanted: NewPartnerList) => Promise<boolean>> = {
  make: async (transaction, wanted) => (await openPartnerList(transaction, wanted)) !== undefined,
  async rename(transaction, wanted) {
    const { displayName } = wanted;
    for (const name of wanted.names) if (await renamePartnerList(transaction, wanted, { name, displayName })) break;
    return true;
  },
  async archive(transaction, wanted) {
    await archivePartnerList(transaction, wanted);
    return true;
  },
};

function keyOf({ number: account }: Owner, partner: PartnerName, { externalId }: PartnerList): PartnerListKey {
  return { account, partner, externalId };
}

function cacheKey({ account, partner, externalId }: PartnerListKey): string {
  return `${account}\n${partner}\n${externalId}`;
}

function noCapacity({ settings }: Owner) {
  const message = `An account can have at most ${settings.limits.listsPerAccount} lists.`;
  return refusal("ACCOUNT_LISTS_EXCEEDED", message);
}

function away(cause: unknown) {
  return refusal("SERVICE_UNAVAILABLE", "The partner's list cannot be looked up right now. Retry later.", { cause });
}
