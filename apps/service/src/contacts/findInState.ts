import type { Account, Contact } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { FoldState, Lookups } from "@headwater/operations";
import { type PrimaryKey, readPrimaryKey } from "../views/findContact.ts";

/** The contact of a `{primary_key}`, looked for by a fold: so it is locked before it is looked at. */
export interface ContactByKey {
  readonly lookups: Lookups;
  /** @throws HeadwaterError 404 `CONTACTS_CONTACT_NOT_FOUND`. */
  in(state: FoldState): Contact;
}

export function contactByKey(primaryKey: string, account: Account): ContactByKey {
  const identifiers = identifiersOf(readPrimaryKey(primaryKey, account));
  return {
    lookups: { identifiers, members: true },
    in(state) {
      for (const identifier of identifiers) {
        const contact = state.find(identifier);
        if (contact !== undefined) return contact;
      }
      throw nobody();
    },
  };
}

function identifiersOf({ cid, identifiers }: PrimaryKey) {
  return cid === undefined ? identifiers : [{ name: "cID", value: cid }, ...identifiers];
}

export function nobody() {
  return refusal("CONTACTS_CONTACT_NOT_FOUND", "There is no contact with this key.");
}
