import type { FormerIdentifier } from "@headwater/records/contacts/formerHolders";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import type { LoadedRows, StateRead } from "@headwater/records/unitOfWork/loadedRows";

type Aliases = ReadonlyMap<number, number>;

/** The identifiers that were taken from contacts, as `MemoryState` keeps them. */
export class MemoryFormers {
  all: readonly FormerIdentifier[] = [];

  load(rows: LoadedRows, { account, identifier }: Extract<StateRead, { kind: "owner" }>, aliases: Aliases): void {
    const { name, value } = identifier;
    const holders = this.all
      .filter((former) => former.account === account && former.name === name && former.value === value)
      .map(({ contact, until }) => ({ contact, live: survivorOf(contact, aliases), until }));
    if (holders.length > 0) rows.formerHolders.set(account, identifier, holders);
  }

  store({ formerIdentifiers, formersGiven: formersInput }: BatchChanges, aliases: Aliases): void {
    this.all = [...this.all, ...formerIdentifiers.filter((former) => !this.all.some((one) => isSameKey(one, former)))];
    for (const { from, to } of formersInput) {
      this.all = this.all.map((one) => (survivorOf(one.contact, aliases) === from ? { ...one, contact: to } : one));
    }
  }

  forget(contact: number, aliases: Aliases): void {
    this.all = this.all.filter((former) => survivorOf(former.contact, aliases) !== contact);
  }
}

function survivorOf(contact: number, aliases: Aliases): number {
  return aliases.get(contact) ?? contact;
}

/** Compares by the table's primary key: the existing row stays. */
function isSameKey(left: FormerIdentifier, right: FormerIdentifier): boolean {
  const { account, name, value, until } = left;
  return account === right.account && name === right.name && value === right.value && until === right.until;
}
