import { requestOf } from "@headwater/api-client";
import { exitCodes } from "../failure.ts";
import { showOne, showRows } from "../output/show.ts";
import { isMembers } from "../requests/readInput.ts";
import type { LeafCommand } from "./command.ts";

export const transportsCheck: LeafCommand = {
  usage: "check <id>",
  summary: "Check server, login, TLS, DKIM, SPF and DMARC; exit 1 if one of them is wrong. Sends nothing.",
  examples: [
    "headwater transports check 65f0c0ffee65f0c0ffee00c1",
    "headwater transports check 65f0c0ffee65f0c0ffee00c1 --json",
  ],
  async run(call, [id = ""]) {
    const { body } = await call.service().request(requestOf("checkTransport", { path: [id] }));
    if (!isMembers(body)) return;
    const { ok, checks } = body;
    if (call.options.format === "json" || !Array.isArray(checks)) showOne(call, body);
    else showRows(call, ["name", "ok", "message"], checks.filter(isMembers));
    if (ok !== true) call.fail(exitCodes.error);
  },
};
