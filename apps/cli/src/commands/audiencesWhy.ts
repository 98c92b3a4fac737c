import { addDryRun } from "../options.ts";
import { showOne, showRows } from "../output/show.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { askCount } from "./audiencesCount.ts";
import type { LeafCommand } from "./command.ts";

export const audiencesWhy: LeafCommand = {
  usage: "why <key> <contact>",
  summary: "Show why a contact is in a saved audience or not: each rule, and the value that it saw.",
  examples: ["headwater audiences why vip ann@example.com", "headwater audiences why vip customer_id:17850 --json"],
  options: addDryRun,
  async run(call, [key = "", contact = ""]) {
    const body = { key, contact };
    if (call.options.dryRun) return showRequest(call, { method: "POST", path: "/v2/audiencecount", body });
    const answer = await askCount(call.service(), body);
    const { nodes } = answer;
    if (!Array.isArray(nodes) || call.options.format === "json") return showOne(call, answer);
    call.terminal.say(`${contact} is ${answer.in === true ? "in" : "not in"} the audience ${key}.`);
    showRows(call, ["path", "in", "saw"], nodes.filter(isMembers));
  },
};
