import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Accepted } from "../measure/stages.ts";
import { emailOf, itemText, type OperationName } from "../records/items.ts";
import type { World } from "../world/world.ts";

/** One record that was followed from its 202 until a read showed it. */
export interface Probe {
  readonly kind: "contact" | "activity";
  readonly visibleAfterMs: number;
  /** Its position in the log, as its receipt tells. */
  readonly accepted: Accepted;
}

export interface ProbeTargets {
  readonly world: World;
  readonly ingressPort: number;
  readonly servicePort: number;
}

const EVERY_MS = 50;
const GIVE_UP_MS = 60_000;
/** Contacts that no load is about. */
const FIRST_CONTACT = 900_000_000;
const ACCEPTED = 202;
const NOT_YET_APPLIED = 409;

const acceptedAnswer = z.object({ receipt: z.string() });

/** Sends a contact or an activity every 50 ms until `end` is resolved, and waits until all of them were seen. */
export async function probeUntil(end: Promise<unknown>, targets: ProbeTargets): Promise<Probe[]> {
  let isOver = false;
  const ending = end.finally(() => {
    isOver = true;
  });
  const probes: Promise<Probe>[] = [];
  for (let index = 0; !isOver; index++) {
    probes.push(index % 2 === 0 ? probeContact(targets, index) : probeActivity(targets, index));
    await sleep(EVERY_MS);
  }
  await ending;
  return Promise.all(probes);
}

function probeContact(targets: ProbeTargets, index: number): Promise<Probe> {
  const path = `/v2/contacts/${encodeURIComponent(emailOf(FIRST_CONTACT + index))}`;
  return follow(targets, { kind: "contact", operation: "upsertContact", contact: FIRST_CONTACT + index, path });
}

/** About the contact of the probe before it. */
function probeActivity(targets: ProbeTargets, index: number): Promise<Probe> {
  const contact = FIRST_CONTACT + index - 1;
  const path = `/v2/contactactivities?email=${encodeURIComponent(emailOf(contact))}`;
  return follow(targets, { kind: "activity", operation: "createContactactivities", contact, path });
}

interface Followed {
  readonly kind: Probe["kind"];
  readonly operation: OperationName;
  readonly contact: number;
  readonly path: string;
}

async function follow(targets: ProbeTargets, { kind, operation, contact, path }: Followed): Promise<Probe> {
  const receipt = await post(targets, operation, itemText(operation, contact));
  const acceptedAtMs = performance.now();
  while (!(await isVisible(targets, path, receipt))) {
    if (performance.now() - acceptedAtMs > GIVE_UP_MS)
      throw new Error(`${path} was not visible after ${GIVE_UP_MS} ms`);
  }
  return { kind, visibleAfterMs: performance.now() - acceptedAtMs, accepted: { ...positionOf(receipt), acceptedAtMs } };
}

async function post({ world, ingressPort }: ProbeTargets, operation: OperationName, body: string): Promise<string> {
  const headers = { "content-type": "application/json", "x-api-key": world.apiKey };
  const answer = await fetch(`http://127.0.0.1:${ingressPort}/api/${operation}`, { method: "POST", headers, body });
  if (answer.status !== ACCEPTED) throw new Error(`a probe was answered with ${answer.status}: ${await answer.text()}`);
  return acceptedAnswer.parse(await answer.json()).receipt;
}

const receiptBody = z.object({ p: z.tuple([z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]).rest(z.int())]) });

/** Reads the position of a lone record from the text of its receipt, which is signed and not secret. */
function positionOf(receipt: string): Pick<Accepted, "lane" | "partition" | "offset"> {
  const text = Buffer.from(receipt.split(".")[0] ?? "", "base64url").toString("utf8");
  const [[stream, partition, , , offset]] = receiptBody.parse(JSON.parse(text)).p;
  return { lane: stream, partition, offset };
}

/** The read waits for the receipt's work itself, up to its own bound. */
async function isVisible({ world, servicePort }: ProbeTargets, path: string, receipt: string): Promise<boolean> {
  const url = new URL(path, `http://127.0.0.1:${servicePort}`);
  url.searchParams.set("after", receipt);
  const authorization = `Basic ${Buffer.from(`${world.apiKey}:`).toString("base64")}`;
  const answer = await fetch(url, { headers: { authorization } });
  const text = await answer.text();
  if (answer.ok) return true;
  if (answer.status === NOT_YET_APPLIED) return false;
  throw new Error(`${path} was answered with ${answer.status}: ${text}`);
}
