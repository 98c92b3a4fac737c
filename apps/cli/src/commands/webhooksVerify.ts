import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Call } from "../call.ts";
import { exitCodes, usageError } from "../failure.ts";
import { parseWith } from "../options.ts";
import type { LeafCommand } from "./command.ts";

const kinds = ["webhook", "listsync", "subscriptionsync"] as const;
const schema = z.object({
  kind: z.enum(kinds).default("webhook"),
  file: z.string(),
  signature: z.string(),
  id: z.string().optional(),
  timestamp: z.string().optional(),
});
type Input = z.output<typeof schema>;

const ENCODED_PREFIX = "whsec_";

/** Verifies a body that somebody received, by the secret in the environment: in an argument other users of the machine would see it. */
export const webhooksVerify: LeafCommand = {
  usage: "verify",
  summary: "Check the signature of a body, by the secret in HEADWATER_WEBHOOK_SECRET; exit 1 if it is wrong.",
  examples: [
    'headwater webhooks verify -f body.json --id msg_65f0c0ffee65f0c0ffee00f1 --timestamp 1767998832 --signature "v1,K5oZ…"',
    'headwater webhooks verify --kind listsync -f body.json --signature "ts:1767998832000,hmac:K5oZ…"',
    "headwater webhooks verify --kind subscriptionsync -f body.json --signature 9f86d081…",
  ],
  options: (command) =>
    command
      .requiredOption("-f, --file <file>", "the bytes of the body as they came; - for standard input")
      .requiredOption("--signature <text>", "the header with the signature")
      .option("--kind <kind>", `who has signed: ${kinds.join(", ")}; default webhook`)
      .option("--id <id>", "the header webhook-id")
      .option("--timestamp <seconds>", "the header webhook-timestamp"),
  async run(call, _, typed) {
    const input = parseWith(schema, typed);
    const secret = call.env.HEADWATER_WEBHOOK_SECRET;
    if (secret === undefined || secret === "") throw usageError("Set HEADWATER_WEBHOOK_SECRET to the secret.");
    const isRight = verifiers[input.kind](input, await readBytes(input.file, call), secret);
    call.terminal.out(isRight ? "The signature is right.\n" : "The signature is wrong.\n");
    if (!isRight) call.fail(exitCodes.error);
  },
};

/** Each returns whether the signature of a body is right, as its sender computes it. */
const verifiers: Readonly<Record<Input["kind"], (input: Input, body: Buffer, secret: string) => boolean>> = {
  webhook({ id, timestamp, signature }, body, secret) {
    if (id === undefined || timestamp === undefined)
      throw usageError("A webhook is verified with --id and --timestamp.");
    const key = secret.startsWith(ENCODED_PREFIX) ? Buffer.from(secret.slice(ENCODED_PREFIX.length), "base64") : secret;
    const digest = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
    const signatures = signature.split(" ").filter((one) => one.startsWith("v1,"));
    return signatures.some((one) => isSame(Buffer.from(one.slice("v1,".length), "base64"), digest));
  },
  listsync({ signature }, body, secret) {
    const parts = new Map(
      signature.split(",").map((part) => [part.split(":", 1)[0]?.trim(), part.replace(/^[^:]*:/, "")]),
    );
    const digest = createHmac("sha256", secret)
      .update(parts.get("ts") ?? "")
      .update(body)
      .digest();
    return isSame(Buffer.from(parts.get("hmac") ?? "", "base64"), digest);
  },
  subscriptionsync({ signature }, body, secret) {
    const digest = createHash("sha256").update(secret).update(body).digest();
    return isSame(Buffer.from(signature, "hex"), digest);
  },
};

function isSame(input: Buffer, wanted: Buffer): boolean {
  return input.length === wanted.length && timingSafeEqual(input, wanted);
}

async function readBytes(file: string, { terminal }: Pick<Call, "terminal">): Promise<Buffer> {
  if (file !== "-") return readFile(file);
  return Buffer.from(await terminal.readInput());
}
