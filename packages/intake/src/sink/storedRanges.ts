import type { Postgres } from "@headwater/postgres/connection/postgres";
import { claimRange, finishRange, replaceRange } from "@headwater/postgres/streams/pendingRanges";
import { advanceOffsets, claimShared, detachRange, finishShared } from "@headwater/postgres/streams/sharedRanges";
import { lockOffset, type OffsetKey, openOffset } from "@headwater/postgres/streams/streamOffsets";
import { type Poison, quarantine } from "../quarantine/quarantine.ts";
import { createGroupOffsets, holdsOf } from "../streams/offsets.ts";
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
