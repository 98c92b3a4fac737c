import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { postSigned } from "@headwater/jobs/notices/postSigned";
import { createOutbound, systemClock } from "@headwater/kernel";
import { afterAll, expect, test, vi } from "vitest";

const root = new URL("../../../../", import.meta.url).pathname;
const page = readFileSync(join(root, "docs/webhooks.md"), "utf8");
const SECRET = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another secret of thirty-two char").toString("base64")}`;

mkdirSync(join(root, ".headwater-test"), { recursive: true });
// Within the project, where the receiver finds its library.
const folder = mkdtempSync(join(root, ".headwater-test/receivers-"));
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
  await outbound.close();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Starts a receiver of the page. @returns how to post to it, and what it has printed. */
async function start(language: string, file: string, command: string) {
  const [, code = ""] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  const script = join(folder, file);
  writeFileSync(script, code);
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    PORT: String(port),
    WEBHOOK_SECRET: SECRET,
  };
  const child = spawn(command, [script], { env, stdio: ["ignore", "pipe", "ignore"] });
  running.push(child);
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    printed += String(chunk);
  });
  const body = JSON.stringify({ type: "job.done", timestamp: "2026-01-09T22:47:12.000Z", data: { id: "Zürich" } });
  const post = async (id: string, secrets: readonly string[]) => {
    const sent = { url: `http://127.0.0.1:${port}/`, id, body, secrets, account: 1 };
    return (await postSigned(sent, { outbound, clock: systemClock })).status;
  };
  return { post, printed: () => printed.trim().split("\n") };
}

test.each([
  ["js", "receiver.mjs", process.execPath],
  ["python", "receiver.py", "python3"],
])("the receiver in %s of the page accepts what is signed, once, and nothing else", async (language, file, command) => {
  const receiver = await start(language, file, command);
  await vi.waitFor(async () => expect(await receiver.post("msg_1", [SECRET])).toBe(204), { timeout: 20_000 });
  expect(await receiver.post("msg_1", [SECRET])).toBe(204);
  expect(await receiver.post("msg_2", [OTHER, SECRET])).toBe(204);
  expect(await receiver.post("msg_3", [OTHER])).toBe(401);
  await vi.waitFor(() => expect(receiver.printed()).toHaveLength(2));
  expect(receiver.printed().map((line) => line.startsWith("job.done {"))).toEqual([true, true]);
});
