import type { IncomingMessage } from "node:http";
import { BodyCharge, FREE_BYTES } from "../body/bodyBudget.ts";
import type { BodyHead } from "../body/bodyHead.ts";
import { findString } from "../body/findString.ts";
import type { Bound, Check, Failed } from "../body/receive.ts";
import { noMemory, tooLarge } from "../body/refusedBody.ts";
import { unpackBeginning } from "../body/unpack.ts";
import type { Caller } from "../guards/caller.ts";
import type { BodyRules, Route } from "../routes/route.ts";
import type { ServerParts } from "./serverParts.ts";

const KIB = 1024;
/** Bytes that are read of a stranger's body: an error of the body is reported before one of its key. */
export const STRANGER_BYTES_MAX = FREE_BYTES;
/** A key inside a body stands within so much of it, unpacked. */
const KEY_WITHIN_BYTES = 256 * KIB;
const CHECK_BYTES = [16 * KIB, KEY_WITHIN_BYTES];

/** Bounds of a body before it is read: what may come, of whose memory, and what is searched for in it. */
export interface BodyPlan {
  readonly charge: BodyCharge;
  readonly bound: Bound;
  readonly look?: Check;
}

interface Planned {
  readonly parts: ServerParts;
  readonly route: Route;
  readonly rules: BodyRules;
  readonly request: IncomingMessage;
  readonly head: BodyHead;
}

/** @param refused says that the caller is not known, to those who send more than a stranger may. */
export function planBody(planned: Planned, caller: Caller | undefined, refused: () => Failed): BodyPlan {
  const { parts, route, rules, request } = planned;
  const address = parts.peers.clientAddress(request);
  if (caller !== undefined && parts.isAllowedFrom(caller, address)) {
    return { charge: new BodyCharge(parts.budget.known, caller.account.id), bound: ofEverybody(rules) };
  }
  const charge = new BodyCharge(parts.budget.others, parts.peers.clientNetwork(request));
  const { caller: own } = route;
  if (own?.kind === "signature" && request.headers[own.header.toLowerCase()] !== undefined) {
    return { charge, bound: ofEverybody(rules) };
  }
  const bound = ofStrangers(rules, refused);
  if (own?.kind !== "body") return { charge, bound };
  const check = findKey({ ...planned, charge, bound, path: own.path });
  return { charge, bound: { bytesMax: rules.bytesMax, over: bound.over }, look: check };
}

function ofEverybody({ bytesMax }: BodyRules): Bound {
  return { bytesMax, over: (what) => tooLarge(what, bytesMax) };
}

function ofStrangers(rules: BodyRules, refused: () => Failed): Bound {
  return rules.bytesMax <= STRANGER_BYTES_MAX ? ofEverybody(rules) : { bytesMax: STRANGER_BYTES_MAX, over: refused };
}

interface KeySearch extends Planned {
  readonly charge: BodyCharge;
  /** Bound for callers whose key is not known. */
  readonly bound: Bound;
  readonly path: readonly string[];
}

/** Searches for the key in the beginning of a body, before the rest of it is taken. */
function findKey(search: KeySearch): Check {
  const { parts, rules, request, head, charge, bound, path } = search;
  return {
    atBytes: CHECK_BYTES,
    async look(beginning, isWhole) {
      const unpacked = head.isGzip
        ? await charge.unpacking(() => unpackBeginning(beginning, KEY_WITHIN_BYTES))
        : beginning.subarray(0, KEY_WITHIN_BYTES);
      const key = findString(unpacked.toString("utf8"), path);
      if (key === undefined) return isWhole || unpacked.length >= KEY_WITHIN_BYTES ? bound : undefined;
      const address = parts.peers.clientAddress(request);
      const caller = await parts.keys.find(key, parts.peers.clientNetwork(request));
      if (caller === undefined || !parts.isAllowedFrom(caller, address)) return bound;
      return charge.moveTo(parts.budget.known, caller.account.id) ? ofEverybody(rules) : noMemory();
    },
  };
}
