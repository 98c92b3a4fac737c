import { orchestrationsActions } from "../commands/orchestrationsActions.ts";
import type { Resource } from "../requests/run.ts";
import { between, filter, list, member } from "./filters.ts";

const ID = "65f0c0ffee65f0c0ffee0101";
const MEMBERS = [
  member("--name <name>", "name", "what people call it"),
  list("--tags <tags>", "tags", "its tags, with commas between"),
];

export const orchestrations: Resource = {
  name: "orchestrations",
  summary: "Graphs that contacts go through: messages, waits and decisions.",
  leaves: [
    {
      usage: "ls",
      summary: "List orchestrations.",
      examples: ["headwater orchestrations ls", "headwater orchestrations ls --tags cart --json"],
      operation: "listOrchestrations",
      columns: ["orchestrationID", "name", "status", "composition.publishedAt", "tags", "lm"],
      options: [filter("--tags <tags>", "tags", "with one of these tags"), ...between("ct", "created")],
    },
    {
      usage: "get <id>",
      summary: "Show one orchestration.",
      examples: [`headwater orchestrations get ${ID} --fields status,composition.published.version`],
      operation: "getOrchestration",
    },
    {
      usage: "create",
      summary: "Create an orchestration, as a draft: `trigger` and `composition` in a file.",
      examples: ["headwater orchestrations create --name 'Cart reminder' -f journey.json"],
      operation: "createOrchestration",
      input: "needed",
      options: MEMBERS,
    },
    {
      usage: "update <id>",
      summary: "Change, publish, enable or disable an orchestration.",
      examples: [
        `headwater orchestrations update ${ID} -f journey.json`,
        `headwater orchestrations update ${ID} --publish --status enabled`,
        `headwater orchestrations update ${ID} --publish --set migrate.wait=pause`,
      ],
      operation: "updateOrchestration",
      input: "needed",
      options: [
        ...MEMBERS,
        member("--publish", "publish", "make the draft the version that new runs follow"),
        {
          ...{ flags: "--status <status>", member: "status", about: "disabled: nobody enters or moves" },
          choices: ["enabled", "disabled"],
          value: (typed) => typed === "enabled",
        },
      ],
    },
    orchestrationsActions,
    {
      usage: "trigger <id>",
      summary: "Let contacts enter: one by its email, up to 1,000 in a file.",
      examples: [
        `headwater orchestrations trigger ${ID} --email ada@example.com --set extVars.coupon=SPRING --yes`,
        `headwater orchestrations trigger ${ID} -f contacts.json --yes`,
      ],
      operation: "triggerOrchestration",
      input: "needed",
      options: [member("--email <address>", "contact.email", "address of one contact; several stand in the file")],
      confirm: ([id]) => `Let contacts enter the orchestration ${id}?`,
    },
    {
      usage: "contacts <id>",
      summary: "List who entered: where each contact is, what it waits for, and its path.",
      examples: [
        `headwater orchestrations contacts ${ID} --state failed`,
        `headwater orchestrations contacts ${ID} --node wait --all -o csv`,
      ],
      operation: "listOrchestrationcontacts",
      columns: ["cID", "key", "version", "state", "node", "since", "waitsFor.kind", "waitsFor.until", "reason"],
      options: [
        filter("--node <node>", "node", "at this node"),
        filter("--state <state>", "state", "in this state"),
        filter("--cid <cID>", "cID", "of this contact"),
      ],
    },
    {
      usage: "exit <id> <contact>",
      summary: "Take a contact out: its runs end, and unsent messages are canceled.",
      examples: [`headwater orchestrations exit ${ID} ada@example.com --yes`],
      operation: "exitOrchestrationcontact",
      confirm: ([id, contact]) => `Take ${contact} out of the orchestration ${id}?`,
    },
    {
      usage: "retry <id> <contact>",
      summary: "Try the node of a contact's failed run again.",
      examples: [`headwater orchestrations retry ${ID} ada@example.com`],
      operation: "retryOrchestrationcontact",
    },
    {
      usage: "stats <id>",
      summary: "Show the numbers of an orchestration's runs by node, edge and goal.",
      examples: [`headwater orchestrations stats ${ID} --json`],
      operation: "getOrchestrationstats",
    },
    {
      usage: "versions <id>",
      summary: "List the published versions, and how many runs follow each.",
      examples: [`headwater orchestrations versions ${ID}`],
      operation: "listOrchestrationversions",
      columns: ["version", "compositionID", "publishedAt", "live"],
    },
    {
      usage: "simulate <id>",
      summary: "Show what a draft or a version would have done with the past. Nothing is sent.",
      examples: [
        `headwater orchestrations simulate ${ID} --from 2026-01-01 --to 2026-02-01 --wait`,
        `headwater orchestrations simulate ${ID} --of draft --sample 10 --set-json assume='{"open": 0.4, "click": 0.05}' --wait`,
      ],
      operation: "simulateOrchestration",
      input: "optional",
      options: [
        {
          ...{
            flags: "--of <version>",
            member: "version",
            about: "`draft` or a number; default the published version",
          },
          value: (typed) => (typed === "draft" ? typed : Number(typed)),
        },
        member("--from <time>", "from", "begin of the stretch; default 30 days before its end"),
        member("--to <time>", "to", "end of the stretch; default now"),
        member("--basis <basis>", "basis", "`event`: facts at their own time; `recorded`: as they were recorded"),
        { flags: "--sample <percent>", member: "samplePercent", about: "share of the contacts", value: Number },
        { flags: "--seed <seed>", member: "seed", about: "the same seed gives the same files", value: Number },
      ],
    },
    {
      usage: "delete <id>",
      summary: "Delete an orchestration and end its runs. The numbers of its messages stay.",
      examples: [`headwater orchestrations delete ${ID} --yes`],
      operation: "deleteOrchestration",
      confirm: ([id]) => `Delete the orchestration ${id} and end its runs?`,
    },
  ],
};
