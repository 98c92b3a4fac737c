import { createHash } from "node:crypto";
import { withoutTrailing } from "@headwater/kernel";
import type { PartnerName } from "./endpoint.ts";
import type { PartnerList } from "./push.ts";

export interface ListNames {
  /** Name of the list in the partner's words. */
  readonly displayName: string;
  /** Names to be tried in this order: the name, with the partner's id when it is taken, with the partner when that is taken, too. */
  readonly names: readonly [string, string, string];
}

const NAME_CHARACTERS_MAX = 128;
const DISPLAY_CHARACTERS_MAX = 512;
const ID_CHARACTERS_MAX = 48;
/** Name that no list may have: `cid`, in any case. */
const RESERVED = /^cid$/i;

/** Names of ours for a partner's list: letters, digits and dashes, spaces removed. Never an error, whatever it is called. */
export function listNamesOf(partner: PartnerName, { name, externalId }: PartnerList): ListNames {
  const id = idPart(externalId);
  const plain = namePart(name);
  const isUsable = plain !== "" && !RESERVED.test(plain);
  const first = isUsable ? plain.slice(0, NAME_CHARACTERS_MAX) : `list-${id}`;
  const withId = `${first.slice(0, NAME_CHARACTERS_MAX - id.length - 1)}-${id}`;
  const ending = `-${id}-${partner}`;
  const withPartner = `${first.slice(0, NAME_CHARACTERS_MAX - ending.length)}${ending}`;
  const displayName = name.replaceAll("\u0000", "").toWellFormed().trim().slice(0, DISPLAY_CHARACTERS_MAX);
  return { displayName: displayName === "" ? first : displayName, names: [first, withId, withPartner] };
}

function namePart(name: string): string {
  const deadLetters = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll(/\s/g, "");
  return withoutTrailing(deadLetters.replaceAll(/[^A-Za-z0-9-]+/g, "-").replace(/^-+/, ""), "-");
}

/** An id that is not made of letters, digits and dashes, or is long, stands as a part of its hash. */
function idPart(externalId: string): string {
  if (/^[A-Za-z0-9-]+$/.test(externalId) && externalId.length <= ID_CHARACTERS_MAX) return externalId;
  return createHash("sha256").update(externalId).digest("hex").slice(0, 12);
}
