import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { rootFolder } from "../../../infra/src/index.ts";
import type { Bench } from "../world/services.ts";

const TOP = 30;

const callFrame = z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() });
const cpuProfile = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** The functions of our processes that took the most time themselves, from the profiles that V8 wrote at their end. */
export async function profileReport({ folder }: Bench): Promise<string> {
  const root = join(folder, "profiles");
  if (!existsSync(root)) return "no process of ours ran\n";
  const parts: string[] = [];
  for (const app of await readdir(root)) parts.push(await reportOf(app, join(root, app)));
  return `${parts.join("\n")}\nProfiles: ${root}\n`;
}

async function reportOf(app: string, folder: string): Promise<string> {
  const microseconds = new Map<string, number>();
  for (const file of await readdir(folder)) {
    const profile = cpuProfile.parse(JSON.parse(await readFile(join(folder, file), "utf8")));
    addSelfTimes(microseconds, profile);
  }
  const busy = [...microseconds].filter(([name]) => !name.startsWith("(idle)"));
  const all = busy.reduce((sum, [, time]) => sum + time, 0);
  const lines = busy
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(
      ([name, time]) =>
        `${((100 * time) / all).toFixed(1).padStart(5)} %  ${(time / 1e3).toFixed(0).padStart(7)} ms  ${name}`,
    );
  return `${app}: self time, idle time left out\n${lines.join("\n")}\n`;
}

function addSelfTimes(microseconds: Map<string, number>, { nodes, samples, timeDeltas }: z.output<typeof cpuProfile>) {
  const names = new Map(nodes.map(({ id, callFrame: at }) => [id, nameOf(at)]));
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "(unknown)";
    microseconds.set(name, (microseconds.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
}

function nameOf({ functionName, url, lineNumber }: z.output<typeof callFrame>): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name;
  return `${name}  ${url.replace(`file://${rootFolder}/`, "")}:${lineNumber + 1}`;
}
