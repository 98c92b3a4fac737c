import { z } from "zod";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ of: z.string().optional(), mermaid: z.boolean().default(false) });

const answer = z.object({
  data: z.array(
    z.looseObject({
      ...{ id: z.string(), label: z.string(), type: z.string() },
      next: z.array(z.object({ id: z.string(), label: z.string().optional() })),
    }),
  ),
});
type Action = z.output<typeof answer>["data"][number];

export const orchestrationsActions: LeafCommand = {
  usage: "actions <id>",
  summary: "Show the nodes of an orchestration and where they lead, or draw its graph.",
  examples: [
    "headwater orchestrations actions 65f0c0ffee65f0c0ffee0101",
    "headwater orchestrations actions 65f0c0ffee65f0c0ffee0101 --of draft --mermaid > journey.mmd",
  ],
  options: (command) =>
    command
      .option("--of <version>", "`draft` or a number; default the published version, else the draft")
      .option("--mermaid", "draw the graph as text that Mermaid renders"),
  async run(call, [id = ""], input) {
    const { of: version, mermaid } = parseWith(schema, input);
    const { body } = await call.service().call("getOrchestrationactions", { path: [id], query: { version } });
    const { data } = answer.parse(body);
    if (mermaid) return call.terminal.out(toMermaid(data));
    const rows = data.map((action) => ({
      ...action,
      next: call.options.format === "table" ? edgesOf(action) : action.next,
    }));
    showRows(call, ["id", "type", "label", "templateKey", "next"], rows);
  },
};

function edgesOf({ next }: Action): string {
  return next.map(({ id, label }) => (label === undefined ? id : `${label}: ${id}`)).join(", ");
}

/** Draws a graph as a flowchart of Mermaid. @see https://mermaid.js.org/syntax/flowchart.html */
function toMermaid(actions: readonly Action[]): string {
  const names = new Map(actions.map(({ id }, index) => [id, `n${index}`]));
  const lines = actions.flatMap(({ id, label, type, next }) => [
    `  ${names.get(id)}["${quoted(label === id ? id : `${label} (${id})`)}<br/>${type}"]`,
    ...next.flatMap((edge) => {
      const to = names.get(edge.id);
      if (to === undefined) return [];
      return [`  ${names.get(id)} -->${edge.label === undefined ? "" : `|"${quoted(edge.label)}"|`} ${to}`];
    }),
  ]);
  return `${["flowchart TD", ...lines].join("\n")}\n`;
}

/** Writes a label so that none of its characters ends it or stands for markup. */
function quoted(label: string): string {
  return label.replaceAll(/[^\p{L}\p{N} _.,:/()-]/gu, (character) => `#${character.codePointAt(0)};`);
}
