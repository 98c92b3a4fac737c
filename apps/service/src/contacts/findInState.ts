import type { Account } from "@headwater/contracts";
import type { FoldState, StateReads } from "@headwater/domain";
import type { Contact } from "@headwater/domain/contact";
import { refusal } from "@headwater/http";
import { expectVersion } from "../writing/ifMatch.ts";
import { type PrimaryKey, readPrimaryKey } from "./findContact.ts";

/** The contact of a `{primary_key}`, looked for by a fold: so it is locked before it is looked at. */
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
