import { Failure, runMain } from "./failure.mjs";
import { homeFolder } from "./places.mjs";
import { findSupervisor } from "./supervisorFile.mjs";

const ANSWER_TIMEOUT_MS = 5_000;

/** `npm run status`: one line a process; exit code 0 when all of it is ready, else 1. */
await runMain(async () => {
  const home = homeFolder(process.env);
  const supervisor = findSupervisor(home);
  if (supervisor === undefined) throw new Failure(`Headwater is not running for ${home}: npm start starts it.`);
  const health = await askHealth(supervisor);
  process.stdout.write(`supervisor  process ${supervisor.pid}, ${supervisor.operationsUrl}/health\n`);
  for (const [name, { state, pid }] of Object.entries({ ...health.services, ...health.apps })) {
    process.stdout.write(`${name.padEnd(11)} ${state}${pid === undefined ? "" : `, process ${pid}`}\n`);
  }
  process.stdout.write(`${health.status}\n`);
  process.exitCode = health.status === "ready" ? 0 : 1;
});

/**
 * @typedef {Record<string, {state: string, pid?: number}>} States
 * @param {{pid: number, operationsUrl: string}} supervisor
 * @returns {Promise<{status: string, services: States, apps: States}>}
 */
async function askHealth({ pid, operationsUrl }) {
  try {
    const response = await fetch(`${operationsUrl}/health`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return await response.json();
  } catch {
    throw new Failure(`process ${pid} is starting Headwater and does not answer yet.`);
  }
}
