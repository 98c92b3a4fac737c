import { requestOf } from "@headwater/api-client";
import { exitCodes } from "../failure.ts";
import { showOne } from "../output/show.ts";
import { isMembers } from "../requests/readInput.ts";
import type { LeafCommand } from "./command.ts";

export const webhooksTest: LeafCommand = {
  usage: "test <id>",
  summary: "Post a test event to a webhook and show what came of it; exit 1 if the receiver did not take it.",
  examples: ["headwater webhooks test 65f0c0ffee65f0c0ffee00f1"],
  async run(call, [id = ""]) {
    const { body } = await call.service().request(requestOf("sendTestWebhook", { path: [id] }));
    if (!isMembers(body)) return;
    showOne(call, body);
    if (body.ok !== true) call.fail(exitCodes.error);
  },
};
