import { sealKeysOf } from "@headwater/api/accountLog/seal";
import { type LogCheck, verifySeals } from "@headwater/api/accountLog/verifySeals";
import { readSettingsKeys } from "@headwater/kernel";
import { z } from "zod";
import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ keyFile: z.string().min(1).optional(), expect: z.string().optional() });
const EXPECTED = /^(\d{1,15}):([0-9a-f]{64})$/;
const NO_KEY_FILE =
  "The seals were made with a settings key of the installation: name its file with --key-file or HEADWATER_SETTINGS_KEY_FILE.";
/** Findings that do not say that somebody changed the log. */
const HARMLESS = new Set(["restored", "keyless"]);

export const auditVerify: LeafCommand = {
  usage: "verify",
  summary:
    "Check the seals of the account log in Postgres: entries that were changed, taken away or put in, a cut beginning or end, restored backups. Exit 1 if there are any.",
  examples: [
    "headwater audit verify --key-file settings-key",
    "headwater audit verify --key-file settings-key --expect 5102:3f0c…   # the last seal that a worker logged",
  ],
  options: (command) =>
    command
      .option("--key-file <file>", "the settings keys; default HEADWATER_SETTINGS_KEY_FILE")
      .option("--expect <number:mac>", "a seal as the worker's log names it: finds an end that was cut off"),
  async run(call, _args, input) {
    const { keyFile, expect } = parseWith(schema, input);
    const expected = expect === undefined ? undefined : readExpected(expect);
    const file = keyFile ?? call.addresses.HEADWATER_SETTINGS_KEY_FILE;
    const keys = sealKeysOf(readSettingsKeys(file));
    const check = await call.connections.withPostgres((postgres) =>
      postgres.transaction((session) => verifySeals(session, { keys, expected }), { isSnapshot: true }),
    );
    if (file === undefined && check.findings.some(({ kind }) => kind === "unknownKey")) throw usageError(NO_KEY_FILE);
    show(call, check);
  },
};

function readExpected(text: string) {
  const [, number, mac] = EXPECTED.exec(text) ?? [];
  if (number === undefined || mac === undefined)
    throw usageError("--expect takes a seal as number:mac, both as the worker logged them.");
  return { number: Number(number), mac };
}

function show(call: Call, { seals, entries, unsealed, unsealable, last, findings }: LogCheck): void {
  showRows(
    call,
    ["kind", "seal", "entry", "message"],
    findings.map((finding) => ({ ...finding })),
  );
  const end = last === undefined ? "nothing is sealed yet" : `the last seal is ${last.number}:${last.mac}`;
  call.terminal.say(`${entries} entries in ${seals} seals, ${unsealed} not sealed yet; ${end}.`);
  if (unsealable > 0) call.terminal.say(`${unsealable} entries are older than the first seal and cannot be checked.`);
  if (findings.some(({ kind }) => !HARMLESS.has(kind))) call.fail();
}
