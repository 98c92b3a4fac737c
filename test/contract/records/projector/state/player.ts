import { lanes, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { ensureLists } from "@headwater/records/lists/lists";
import { writeState } from "@headwater/records/writes/writeState";
import type { MemoryState, VersionedRecord } from "@headwater/testing";
import { AT, type MemoryStream } from "../../../intake/projector/memoryStream.ts";
import { foldWrite } from "./foldWrite.ts";
import { type Append, listNames, type Step, type Write } from "./randomSteps.ts";

export interface Player {
  take(step: Step): Promise<void>;
  /** Applies what the log holds. */
  apply(): Promise<void>;
}

/** Takes steps over Postgres and, where it is given, over memory alike. */
export async function createPlayer(stream: MemoryStream, memory?: MemoryState): Promise<Player> {
  const { account, clock, postgres } = stream;
  const wanted = listNames.map((name) => ({ account: account.number, name }));
  for (const { id, name } of await ensureLists(postgres, wanted, AT)) {
    memory?.defineList(account.number, { id, name, clearedVersion: undefined });
  }
  /** Records in the log that memory has not folded yet, by partition. */
  const pending = new Map<number, VersionedRecord[]>();
  let sent = 0;
  const append = ({ operation: name, members, partition }: Append) => {
    const operation = loggedOperations.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    sent += 1;
    clock.advance(1_000);
    const record = { id: `request${sent}:0:0`, receivedAt: AT, ...members };
    const { offset, timeMs } = stream.append(name, [record], partition);
    const version = versionOf(timeMs, { lane: lanes["intake.records"], partition, offset, place: 0 });
    pending.set(partition, [...(pending.get(partition) ?? []), { operation, record, version }]);
  };
  const apply = async () => {
    await stream.apply();
    for (const partition of [...pending.keys()].sort()) memory?.apply(account, pending.get(partition) ?? []);
    pending.clear();
  };
  const write = async (asked: Write) => {
    await apply();
    clock.advance(1_000);
    sent += 1;
    const recordId = `write${sent}:0:0`;
    const fold = (state: FoldState, origin: Origin) => {
      return { origin, ...foldWrite(state, asked, origin) };
    };
    const kind = asked.kind === "split" || asked.kind === "merge" ? asked.kind : "v2";
    const { result } = await retryOnConflict(() =>
      postgres.transaction((transaction) =>
        writeState({ transaction, nowMs: clock.nowMs() }, account, { kind, recordId, fold }),
      ),
    );
    memory?.write(account, (state) => fold(state, { ...result.origin, account }));
  };
  return {
    apply,
    async take(step) {
      if (step.kind === "append") append(step);
      else if (step.kind === "apply") await apply();
      else await write(step.write);
    },
  };
}
