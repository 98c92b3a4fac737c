import { z } from "zod";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import { addBasis, askCount, readCriteria } from "./audiencesCount.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ asOf: z.string().optional(), basis: z.string().optional() });
const OPTIONS: ReadonlySet<string> = new Set(["explain", "asOf", "basis", "timezone", "eligibleFor", "sampleSize"]);

export const audiencesDiff: LeafCommand = {
  usage: "diff <a> <b>",
  summary: "Compare two criteria: contacts in the first only, in the second only, in both.",
  examples: ["headwater audiences diff old.json new.json", "headwater audiences diff a.json b.json --as-of 2026-01-01"],
  options: (command) => addBasis(command.option("--as-of <time>", "the moment of all three counts; default now")),
  async run(call, [fileA = "", fileB = ""], input) {
    const a = criteriaOf(await readCriteria(call, fileA));
    const b = criteriaOf(await readCriteria(call, fileB));
    const service = call.service();
    // One instant for all three, so that windows do not move between them.
    const { asOf = new Date().toISOString(), basis } = parseWith(schema, input);
    const options = { asOf, ...(basis !== undefined && { basis }) };
    const ask = async (criteria: object) => (await askCount(service, { criteria, ...options })).count;
    const rows = [
      { contacts: `only ${fileA}`, count: await ask({ and: [a, { not: b }] }) },
      { contacts: `only ${fileB}`, count: await ask({ and: [b, { not: a }] }) },
      { contacts: "both", count: await ask({ and: [a, b] }) },
    ];
    showRows(call, ["contacts", "count"], rows);
  },
};

/** Returns the criteria: members next to them say how to count, and not whom. */
function criteriaOf(document: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(document, "criteria")) return document.criteria;
  return Object.fromEntries(Object.entries(document).filter(([name]) => !OPTIONS.has(name)));
}
