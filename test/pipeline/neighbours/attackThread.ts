import { parentPort, workerData } from "node:worker_threads";
import { type Attacker, attack } from "./hostile.ts";

/** Attacks in a thread of its own, so that what it costs to send is not taken for waiting; ends with the first message. */
const { attacker, receipt }: { readonly attacker: Attacker; readonly receipt: string } = workerData;
const ending = new AbortController();
parentPort?.once("message", () => ending.abort());
parentPort?.postMessage(await attack(attacker, { receipt, signal: ending.signal }));
