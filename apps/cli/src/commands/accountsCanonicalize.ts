import { readAccountDocument } from "@headwater/accounts/accounts/accounts";
import { mayHoldFormerAddresses, noteAddressesRewritten } from "@headwater/accounts/accounts/storedAddresses";
import { systemClock } from "@headwater/kernel";
import { type CanonicalizedContacts, canonicalizeContacts } from "@headwater/records/writes/canonicalizeContacts";
import { accountOf } from "../accounts/accountBook.ts";
import { noteOperator } from "../accounts/noteOperator.ts";
import type { Call } from "../call.ts";
import { confirm } from "../confirm.ts";
import { addDryRun, addYes } from "../options.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const COLUMNS = ["what", "contacts", "name", "cID", "other"];

export const accountsCanonicalize: LeafCommand = {
  usage: "canonicalize <account>",
  summary:
    "Rewrite addresses that an earlier version stored, or that were stored without the country. Shows first how many.",
  examples: ["headwater accounts canonicalize shop --dry-run", "headwater accounts canonicalize shop --yes"],
  options: (command) => addDryRun(addYes(command)),
  run: (call, [idOrName = ""]) => canonicalize(call, idOrName),
};

async function canonicalize(call: Call, idOrName: string): Promise<void> {
  const { connections, options, terminal } = call;
  await connections.withPostgres(async (postgres) => {
    const document = await readAccountDocument(postgres, (await accountOf(postgres, idOrName)).number);
    const { account } = document;
    const marksInvalid = await mayHoldFormerAddresses(postgres, account.number);
    const shared = { account, marksInvalid, clock: systemClock };
    const preview = await canonicalizeContacts({ ...shared, isTrial: true }, postgres);
    const { rewritten, merged, invalid } = preview;
    if (options.dryRun) return showDone(call, preview);
    if (rewritten + merged + invalid === 0) {
      await noteAddressesRewritten(postgres, document);
      return showDone(call, preview);
    }
    const question = `Rewrite ${rewritten} contacts, merge ${merged} pairs of the same address, and mark ${invalid} channels as invalid?`;
    if (!(await confirm(call, question))) return terminal.say("Nothing was changed.");
    const message = "Rewrites stored addresses to their canonical form.";
    await noteOperator(postgres, { account: account.number, action: "canonicalizeContacts", message });
    const onStep = (done: CanonicalizedContacts) => {
      if (options.verbose) terminal.say(`${done.rewritten + done.merged + done.apart} contacts so far`);
    };
    const done = await canonicalizeContacts({ ...shared, isTrial: false, onStep }, postgres);
    await noteAddressesRewritten(postgres, document);
    showDone(call, done);
  });
}

/** Shows the contacts by what became of them, and the pairs that only a person can merge. */
function showDone(call: Call, { rewritten, merged, apart, invalid, pairs }: CanonicalizedContacts): void {
  showRows(call, COLUMNS, [
    { what: "rewritten", contacts: rewritten },
    { what: "merged", contacts: merged },
    { what: "apart", contacts: apart },
    { what: "invalid", contacts: invalid },
    ...pairs.map(({ name, contacts: [cID, other] }) => ({ what: "pair apart", name, cID, other })),
  ]);
}
