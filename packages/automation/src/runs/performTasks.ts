import { classifyFailure } from "@headwater/kernel";
import { loadContacts } from "@headwater/records/contacts/contacts";
import { readLive } from "@headwater/records/contacts/liveContacts";
import { upsertProducts } from "@headwater/records/products/upsertProducts";
import { contactRecords } from "@headwater/records/views/contactRecords";
import { parseRun } from "../orchestrations/run.ts";
import { callWebhook } from "./callWebhook.ts";
import { failRun, moveTogether } from "./moveTogether.ts";
import { lockRuns } from "./postgres.ts";
import { appendWrites, writesOf } from "./runWrites.ts";
import { stepRuns, withJourneys } from "./storeUnit.ts";
import type { TaskContext, TaskEnd, TaskPorts } from "./taskContext.ts";
import { claimTasks, readTaskRuns, type Task, type TaskRun, takeTask } from "./taskRows.ts";

/** Tasks that are under way at a time, and how many of them one account has. */
const TASKS_AT_ONCE = 32;
const OF_AN_ACCOUNT_MAX = 8;
/** Longer than a call and all else of a task take. */
const CLAIM_MS = 60_000;

/** Works off calls and writes that runs want, some at a time: one that hangs holds none of another account. */
export function createTasks(ports: TaskPorts) {
  const underWay = new Map<Task, Promise<void>>();
  const failed: unknown[] = [];
  const begin = (task: Task, run: TaskRun | undefined) => {
    const work = perform(ports, task, run)
      .catch((error: unknown) => void failed.push(error))
      .finally(() => underWay.delete(task));
    underWay.set(task, work);
  };
  return {
    /** Claims what there is and begins it. @returns whether there may be more. Throws what a task before it met. */
    async performOnce(): Promise<boolean> {
      if (failed.length > 0) throw failed.shift();
      const tasksMax = TASKS_AT_ONCE - underWay.size;
      if (tasksMax === 0) return false;
      const counts = Map.groupBy(underWay.keys(), ({ account }) => account);
      const but = [...counts].flatMap(([account, own]) => (own.length >= OF_AN_ACCOUNT_MAX ? [account] : []));
      const claimed = await claimTasks(ports.postgres, {
        but,
        tasksMax: Math.min(tasksMax, OF_AN_ACCOUNT_MAX),
        claimMs: CLAIM_MS,
      });
      const runs = new Map(
        (await readTaskRuns(ports.postgres, claimed)).map((run) => [`${run.account} ${run.id}`, run]),
      );
      for (const task of claimed) begin(task, runs.get(`${task.account} ${task.run}`));
      return claimed.length > 0;
    },
    /** Resolves when nothing is under way any more. */
    idle: async () => void (await Promise.all(underWay.values())),
  };
}

async function perform(ports: TaskPorts, task: Task, stored: TaskRun | undefined): Promise<void> {
  const context = stored && (await contextOf(ports, task, stored));
  const end = context === undefined ? GONE : await endOf(ports, task, context);
  const nowMs = ports.clock.nowMs();
  const { account, run: id } = task;
  await moveTogether<Task>(ports, {
    claim: () => [task],
    work: (transaction) =>
      stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, [{ account, id }])));
        if (!(await takeTask(transaction, task))) return;
        if (context !== undefined) {
          const { writes = [], products = [] } = end;
          await appendWrites(transaction, context.account, { writes, task: task.id, nowMs });
          if (products.length > 0) await upsertProducts(transaction, { account: context.account, products, nowMs });
        }
        const why = end.reason === undefined ? {} : { reason: end.reason };
        await unit.apply({ account, id }, { kind: "outcome", effect: task.id, at: nowMs, result: end.result, ...why });
      }),
    fail: (transaction) => failRun(transaction, { account, id }, ports),
    takeAway: (transaction) => takeTask(transaction, task),
    runOf: () => ({ account, id }),
  });
}

const GONE: TaskEnd = { result: "refused", reason: "The version of the run is gone." };

/** Returns the end of a try. One that breaks is refused: tried again it would break again. */
async function endOf(ports: TaskPorts, task: Task, context: TaskContext): Promise<TaskEnd> {
  if (context.contact === undefined) return { result: "refused", reason: "The contact does not exist." };
  try {
    return await tryOnce(ports, task, context);
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    ports.onBroken?.({ account: task.account, id: task.run }, error);
    return { result: "refused", reason: "The step cannot be taken." };
  }
}

async function tryOnce(ports: TaskPorts, task: Task, context: TaskContext): Promise<TaskEnd> {
  switch (context.node.type) {
    case "webhook":
      return callWebhook(context.node.config, task, context, ports);
    case "transformation":
      return writesOf(context.node.config, context, ports);
    default:
      return { result: "refused", reason: "The node wants no task." };
  }
}

async function contextOf(ports: TaskPorts, task: Task, stored: TaskRun): Promise<TaskContext | undefined> {
  const { account: number, orchestration, version } = stored;
  const [account, published] = await Promise.all([
    ports.journeys.account(ports.postgres, number),
    ports.journeys.version(ports.postgres, { account: number, orchestration, version }),
  ]);
  const node = published?.composition.actions.find(({ id }) => id === task.node);
  if (account === undefined || node === undefined) return undefined;
  const run = parseRun(stored.run);
  if (run === undefined) return undefined;
  const rows = await readLive(number, [task.contact], (keys) => loadContacts(ports.postgres, keys));
  const row = rows.get(task.contact);
  const [contact] =
    row === undefined ? [] : await contactRecords([row], { account, session: ports.postgres, rules: undefined });
  return { account, run, node, contact, cid: row?.cid };
}
