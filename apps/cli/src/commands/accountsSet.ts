import { updateAccount } from "@headwater/accounts/accounts/accounts";
import { type Account, mergePatch } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import { accountNamed, accountOf, noAccount } from "../accounts/accountBook.ts";
import { parseDocument, toDocument, toView, type Written } from "../accounts/document.ts";
import { readingsOf, setAt } from "../accounts/edit.ts";
import { noteOperator } from "../accounts/noteOperator.ts";
import { readDocument } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { usageError, validationError } from "../failure.ts";
import { addDryRun, parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ file: z.string().optional() });

export const accountsSet: LeafCommand = {
  usage: "set <account> [member] [value]",
  summary: "Change one member of an account, or the members in a file (null restores the default).",
  examples: [
    "headwater accounts set shop timezone Europe/London",
    "headwater accounts set shop /limits/intakePerSecond 50000",
    "headwater accounts set shop -f changes.json --dry-run",
  ],
  options: (command) =>
    addDryRun(command).option("-f, --file <file>", "JSON of the members to change, - for standard input"),
  async run(call, [idOrName = "", member, value], input) {
    const { file } = parseWith(schema, input);
    const edit = await editOf(call, { file, member, value });
    await call.connections.withPostgres((postgres) => set(call, postgres, { idOrName, edit }));
  },
};

/** Turns the present document into the requested one. */
type Edit = (account: Account) => Written;

interface Typed {
  readonly file: string | undefined;
  readonly member: string | undefined;
  readonly value: string | undefined;
}

async function editOf({ terminal }: Call, { file, member, value }: Typed): Promise<Edit> {
  if (file !== undefined && member === undefined) {
    const patch = await readDocument(file, terminal);
    return (account) => parseDocument(mergePatch(toDocument(account), patch), account);
  }
  if (file !== undefined || member === undefined || value === undefined) {
    throw usageError("Specify a member and its value, or -f with a file.");
  }
  return (account) => setMember(account, member, value);
}

function setMember(account: Account, member: string, typed: string): Written {
  const failures: unknown[] = [];
  for (const value of readingsOf(typed)) {
    try {
      const before = toDocument(account);
      const document = value === null ? mergePatch(before, setAt({}, member, null)) : setAt(before, member, value);
      return parseDocument(document, account);
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

interface Change {
  readonly idOrName: string;
  readonly edit: Edit;
}

async function set(call: Call, postgres: Postgres, { idOrName, edit }: Change): Promise<void> {
  const account = await accountOf(postgres, idOrName);
  const written = edit(account);
  const namesake = written.name === account.name ? undefined : await accountNamed(postgres, written.name);
  if (namesake !== undefined) throw validationError(`Account ${written.name} already exists.`);
  if (call.options.dryRun) {
    call.terminal.say("Would change the account to:");
    return showOne(call, toView({ ...account, ...written }));
  }
  const changed = await store(postgres, account, written);
  if (changed === undefined) throw noAccount(idOrName);
  call.terminal.say("Every process applies it within five seconds.");
  showOne(call, toView(changed));
}

function store(postgres: Postgres, { id, number }: Account, written: Written): Promise<Account | undefined> {
  return postgres.transaction(async (transaction) => {
    const message = "Updates the account's settings.";
    await noteOperator(transaction, { account: number, action: "updateAccount", message });
    return updateAccount(transaction, id, written);
  });
}
