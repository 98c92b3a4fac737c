import { addImport, type Edit, type Tree } from "../edits.ts";
import { checkName, PASCAL_CASE, toCamelCase } from "../names.ts";
import { places } from "../places.ts";

/** A job of the worker: its folder among those of analytics, its input, its line among the kinds of jobs, and its row in the guide. */
export function jobEdits(name: string, tree: Tree): Edit[] {
  checkName(name, PASCAL_CASE);
  const noun = toCamelCase(name);
  const folder = `${places.jobs}/${noun}`;
  const job = `${noun}Job`;
  return [
    { path: `${folder}/nextStep.ts`, create: STEP },
    { path: `${folder}/nextStep.test.ts`, create: testOf(name) },
    { path: `${folder}/${job}.ts`, create: definitionOf(name, job) },
    addImport(tree, places.jobRegistry, `import { ${job} } from "@headwater/analytics/${noun}/${job}";`),
    { path: places.jobRegistry, insert: `    ${job},\n`, before: "  ];\n  return { kinds: new Map(" },
    { path: places.jobInputs, insert: inputOf(name), before: "} as const;\n\nexport type JobName" },
    {
      path: places.jobGuide,
      insert: `| \`${name}\` | goes through its items, 1,000 a step |\n`,
      before: rowAfter(tree),
    },
  ];
}

const inputOf = (name: string) => `  ${name}: z.strictObject({
    /** Number of items to go through. */
    items: z.number().int().nonnegative(),
  }),
`;

/** The first row of the table of jobs. */
function rowAfter(tree: Tree): string {
  return /^\| `[A-Z]\w+` +\|/m.exec(tree.read(places.jobGuide))?.[0] ?? "| `";
}

const STEP = `import type { StepEnd } from "@headwater/jobs/runner/jobKind";

const ITEMS_PER_STEP = 1_000;

export interface Progress {
  readonly looked: number;
}

/** Returns how the job stands after the next items of it. */
export function nextStep({ items }: { readonly items: number }, { looked }: Progress): StepEnd<Progress> {
  const now = Math.min(items, looked + ITEMS_PER_STEP);
  const report = { totalItems: items, completedItems: now, result: { totalRecords: now } };
  return now < items ? { kind: "more", progress: { looked: now }, ...report } : { kind: "done", ...report };
}
`;

function definitionOf(name: string, job: string): string {
  return `import { defineJob } from "@headwater/jobs/runner/jobKind";
import { z } from "zod";
import { nextStep } from "./nextStep.ts";

/** Goes through its items; what is done with each is written in the step's transaction. */
export const ${job} = defineJob({
  jobName: "${name}",
  progress: z.object({ looked: z.number() }),
  step: async ({ input, progress = { looked: 0 } }) => nextStep(input, progress),
});
`;
}

function testOf(name: string): string {
  return `import { expect, test } from "vitest";
import { nextStep } from "./nextStep.ts";

test("${name} goes through its items page by page and ends with all of them", () => {
  const first = nextStep({ items: 1_500 }, { looked: 0 });
  expect(first).toMatchObject({ kind: "more", progress: { looked: 1_000 }, completedItems: 1_000 });
  expect(nextStep({ items: 1_500 }, { looked: 1_000 })).toMatchObject({ kind: "done", completedItems: 1_500 });
  expect(nextStep({ items: 0 }, { looked: 0 })).toMatchObject({ kind: "done", completedItems: 0 });
});
`;
}
