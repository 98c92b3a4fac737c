import type { TopicStep } from "@headwater/topics";
import type { Command } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { confirm } from "../confirm.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import type { Row } from "../output/formats.ts";
import { showRows } from "../output/show.ts";
import { addGroup, addLeaf } from "./command.ts";
import { addTopicsAdopt } from "./topicsAdopt.ts";

const COLUMNS = ["topic", "step", "detail"];

export function addTopics(program: Command, callOf: CallOf): void {
  const topics = addGroup(program, "topics", "Compare the catalogue of topics with the Kafka cluster.");
  addLeaf(
    topics,
    {
      usage: "plan",
      summary: "Show what apply would do.",
      examples: ["headwater topics plan", "headwater topics plan --check -o json"],
      options: (command) => command.option("--check", "exit 1 if a topic differs from the catalogue, for CI"),
      run: plan,
    },
    callOf,
  );
  addLeaf(
    topics,
    {
      usage: "apply",
      summary: "Create missing topics, add missing replicas and alter settings that differ.",
      examples: ["headwater topics apply", "headwater topics apply --yes --json"],
      options: (command) => addDryRun(addYes(command)),
      run: apply,
    },
    callOf,
  );
  addTopicsAdopt(topics, callOf);
}

const checked = z.object({ check: z.boolean().default(false) });

async function plan(call: Call, _args: readonly string[], input: unknown): Promise<void> {
  const { check } = parseWith(checked, input);
  const steps = await call.connections.withTopics((admin) => admin.plan());
  show(call, steps);
  if (check && steps.some(({ kind }) => kind !== "same")) call.fail();
}

async function apply(call: Call): Promise<void> {
  await call.connections.withTopics(async (admin) => {
    const planned = await admin.plan();
    const open = planned.filter(({ kind }) => kind !== "same" && kind !== "refused");
    if (call.options.dryRun || open.length === 0) return showApplied(call, planned);
    for (const step of open) call.terminal.say(`${step.kind} ${step.topic}: ${detailOf(step)}`);
    if (!(await confirm(call, `Change ${new Set(open.map(({ topic }) => topic)).size} topics?`)))
      return call.terminal.say("Nothing was changed.");
    showApplied(call, await admin.apply());
  });
}

function show(call: Call, steps: readonly TopicStep[]): void {
  showRows(call, COLUMNS, steps.map(toRow));
}

/** Shows the steps of `apply`, of which one that cannot be done is a failure. */
function showApplied(call: Call, steps: readonly TopicStep[]): void {
  show(call, steps);
  if (steps.some(({ kind }) => kind === "refused")) call.fail();
}

function toRow(step: TopicStep): Row {
  const { topic, kind, ...more } = step;
  return { topic, step: kind, detail: detailOf(step), ...more };
}

function detailOf(step: TopicStep): string {
  switch (step.kind) {
    case "create":
      return `${step.partitions} partitions, ${step.replicas} replicas`;
    case "alter":
      return step.changes.map(({ name, from, to }) => `${name} ${from ?? "unset"} -> ${to}`).join(", ");
    case "reassign":
      return `${step.replicas} replicas for partitions ${step.partitions.map(({ partition }) => partition).join(", ")}`;
    case "same":
      return step.note ?? "";
    case "refused":
      return step.reason;
  }
}
