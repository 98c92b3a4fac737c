import { expectVersion } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { FoldState } from "../fold/foldState.ts";
import type { StateReads } from "../fold/stateReads.ts";
import { type PrimaryKey, readPrimaryKey } from "./findContact.ts";
import type { Contact } from "./model.ts";

/** The contact of a `{primary_key}`, searched for by a fold: so it is locked before it is checked. */
export interface ContactByKey {
  readonly reads: StateReads;
  /** @throws HeadwaterError 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
  in(state: FoldState): Contact;
}

/** @param ifMatch the header `If-Match`: the version that the contact must have. */
export function contactByKey(primaryKey: string, account: Account, ifMatch?: string): ContactByKey {
  const identifiers = identifiersOf(readPrimaryKey(primaryKey, account));
  return {
    reads: { identifiers, members: true },
    in(state) {
      for (const identifier of identifiers) {
        const contact = state.find(identifier);
        if (contact === undefined) continue;
        expectVersion(ifMatch, contact.version);
        return contact;
      }
      throw nobody();
    },
  };
}

function identifiersOf({ cid, identifiers }: PrimaryKey) {
  return cid === undefined ? identifiers : [{ name: "cID", value: cid }, ...identifiers];
}

export function nobody() {
  return refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
}
