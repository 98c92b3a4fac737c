import { HeadwaterError, newAccountId } from "@headwater/kernel";
import type { Postgres } from "@headwater/stores";
import { z } from "zod";
import { accountNamed, openAccount } from "../accounts/accountBook.ts";
import { isObject, parseDocument, toShown, type Written } from "../accounts/document.ts";
import { readDocument } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { validationError } from "../failure.ts";
import { addDryRun, parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({
  name: z.string(),
  id: z
    .string()
    .regex(/^[0-9a-f]{24}$/, "is 24 lower-case hex characters")
    .optional(),
  ifMissing: z.boolean().default(false),
  settings: z.string().optional(),
});
type Options = z.output<typeof schema>;

export const accountsCreate: LeafCommand = {
  usage: "create",
  summary: "Make an account and its first key. The key is shown this once: only a hash of it is stored.",
  examples: [
    "headwater accounts create --name shop",
    "headwater accounts create --name shop --settings settings.json --json",
    "headwater accounts create --name shop --if-missing --json",
  ],
  options: (command) =>
    addDryRun(command)
      .requiredOption("--name <name>", "what people call it; no two accounts have the same")
      .option("--id <id>", "24 hex characters; made when not given")
      .option("--settings <file>", "JSON of its settings, - for standard input; the rest are defaults")
      .option("--if-missing", "when there is one of that name show it, without a key"),
  async run(call, _args, given) {
    const options = parseWith(schema, given);
    const written = await wanted(call, options);
    await call.connections.withPostgres((postgres) => create(call, postgres, { options, written }));
  },
};

async function wanted({ terminal }: Call, { name, settings }: Options): Promise<Written> {
  const given = settings === undefined ? {} : await readDocument(settings, terminal);
  if (!isObject(given)) throw validationError("Settings are a JSON object.");
  return parseDocument({ ...given, name });
}

interface Plan {
  readonly options: Options;
  readonly written: Written;
}

async function create(call: Call, postgres: Postgres, { options, written }: Plan): Promise<void> {
  const there = await accountNamed(postgres, written.name);
  if (there !== undefined && options.ifMissing) {
    call.terminal.say(`There is an account ${written.name}; its key was shown when it was made.`);
    return showOne(call, { accountId: there.id, name: there.name });
  }
  if (there !== undefined) throw nameTaken(written.name);
  const id = options.id ?? newAccountId();
  if (call.options.dryRun) {
    call.terminal.say("Would make this account:");
    return showOne(call, toShown({ id, ...written }));
  }
  const { account, apiKey } = await openAccount(postgres, { id, ...written });
  call.terminal.say("Keep the key: it is not shown again.");
  showOne(call, { accountId: account.id, name: account.name, apiKey });
}

function nameTaken(name: string): HeadwaterError {
  return new HeadwaterError({
    code: "NAME_MUST_BE_UNIQUE",
    status: 422,
    publicMessage: `There is an account ${name} already; --if-missing makes that no error.`,
  });
}
