import type { Postgres } from "@headwater/stores/postgres";
import {
  advanceOffsets,
  claimRange,
  claimShared,
  detachRange,
  finishRange,
  finishShared,
  lockOffset,
  type OffsetKey,
  openOffset,
  replaceRange,
} from "@headwater/stores/streams";
import { createGroupOffsets, holdsOf } from "../offsets.ts";
import { type Poison, quarantine } from "../quarantine/quarantine.ts";
import type { PoisonOfRange, SinkRanges } from "./ranges.ts";

/** Progress of a group in Postgres. */
export function createStoredRanges(postgres: Postgres, group: string): SinkRanges {
  const offsets = createGroupOffsets(postgres, group);
  return {
    open: async (at) => openOffset(postgres, await offsets.open(at), at.low),
    keyOf: offsets.keyOf,
    read: (key, firstOffset) => openOffset(postgres, key, firstOffset),
    replace: (key, oldToken, range) => replaceRange(postgres, key, oldToken, range),
    finish: (key, token, seen) => finishRange(postgres, key, token, seen),
    claimShared: (claims, shared) => claimShared(postgres, claims, shared),
    detach: (key, token) => detachRange(postgres, key, token),
    finishShared: (token, stored) => finishShared(postgres, token, stored),
    advance: (steps) => advanceOffsets(postgres, steps),
    quarantine: (key, found) => quarantineIn(postgres, key, found),
    ...holdsOf(postgres, offsets.keyOf),
  };
}

function quarantineIn(postgres: Postgres, key: OffsetKey, found: PoisonOfRange): Promise<readonly Poison[]> {
  const { nextOffset, token, claim, poison, nowMs, wereApplied } = found;
  return postgres.transaction(async (transaction) => {
    const now = await lockOffset(transaction, key);
    if (now.nextOffset !== nextOffset || now.pending?.token !== token) return [];
    if (now.pending === null) await claimRange(transaction, key, nextOffset, claim);
    return quarantine(transaction, key, poison, { nowMs, wereApplied });
  });
}
