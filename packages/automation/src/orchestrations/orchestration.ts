import { canonicalTimezone, recordConditions, shapes } from "@headwater/contracts";
import { hasForbiddenText } from "@headwater/kernel";
import { reentryShape } from "@headwater/messaging/entries/reentry";
import { duration, isWithinTenYears, TOO_LONG, UNITS } from "@headwater/messaging/schedule/durations";
import { z } from "zod";

export const ORCHESTRATION_LIMITS = {
  nodes: 200,
  edges: 32,
  /** Nodes that a run begins without having waited for a time or an event in between. */
  stepsWithoutWaiting: 100,
  conditions: 20,
  paths: 20,
  goals: 20,
  tags: 100,
  webhookBodyCharacters: 65_536,
} as const;

const ID_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 256;
const KEY_CHARACTERS_MAX = 1_024;
const URL_CHARACTERS_MAX = 2_048;
const WEIGHT_MAX = 1_000_000;

const text = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((value) => !hasForbiddenText(value), { message: "contains NUL or an unpaired surrogate" });

const nodeId = text(ID_CHARACTERS_MAX);
const name = text(NAME_CHARACTERS_MAX);
const key = text(KEY_CHARACTERS_MAX);

const offset = z
  .strictObject({ n: z.int(), unit: z.enum(UNITS) })
  .refine(isWithinTenYears, TOO_LONG)
  .describe("Added to the date; before it where `n` is negative.");

/** Refuses an object without exactly one of the members. */
const exactlyOne = (names: readonly string[]) => (value: object, context: z.RefinementCtx) => {
  const [, ...more] = names.filter((member) => Reflect.get(value, member) !== undefined);
  for (const member of more) {
    const message = `cannot stand with another one of ${names.join(", ")}`;
    context.addIssue({ code: "custom", path: [member], message, params: { code: "not_allowed" } });
  }
  if (names.some((member) => Reflect.get(value, member) !== undefined)) return;
  const message = names.length === 1 ? "is required" : `or one of ${names.slice(1).join(", ")} is required`;
  context.addIssue({ code: "custom", path: [names[0] ?? ""], message, params: { code: "required" } });
};

const criteria = z.looseObject({}).describe("Criteria, as `POST /v2/audiencecount` takes them.");
const action = text(shapes.bounds.eventNameCharacters).describe("Name of the activities.");
const where = recordConditions.describe("Conditions on the activity's properties. All must hold.");

/** Members that select activities of a run's contact. */
const eventMembers = {
  where: where.optional(),
  match: z
    .array(key)
    .max(ORCHESTRATION_LIMITS.conditions)
    .optional()
    .describe("Properties that must equal those of the activity that started the run."),
  message: z
    .strictObject({ key })
    .optional()
    .describe("The message that was opened or clicked, by its template; without it, those that the run sent."),
};

const condition = z
  .strictObject({ event: action.optional(), ...eventMembers, criteria: criteria.optional() })
  .superRefine((value, context) => {
    exactlyOne(["event", "criteria"])(value, context);
    if (value.criteria === undefined) return;
    for (const member of ["where", "match", "message"] as const) {
      if (value[member] === undefined) continue;
      context.addIssue({
        code: "custom",
        path: [member],
        message: "belongs to `event`",
        params: { code: "not_allowed" },
      });
    }
  })
  .meta({
    id: "OrchestrationCondition",
    description: "An activity of the contact, or criteria that the contact fits.",
    examples: [{ event: "purchase", match: ["cartID"] }, { criteria: { list: "VIP", op: "in" } }],
  });
export type Condition = z.output<typeof condition>;

const trigger = z
  .strictObject({
    api: z.boolean().default(false).describe("True lets `POST …/trigger` start runs."),
    event: z.strictObject({ action, where: where.optional() }).optional(),
    audience: key.optional().describe("Key of a saved audience: a contact that enters it starts a run."),
    everySeconds: z.int().min(60).max(86_400).default(60).describe("Time between two comparisons of `audience`."),
    existing: z.boolean().default(false).describe("True also starts contacts that are in `audience` already."),
    list: z.strictObject({ name, on: z.enum(["joined", "left"]) }).optional(),
    order: z
      .strictObject({ where: where.optional(), items: where.optional().describe("Must all hold for one item.") })
      .optional()
      .describe("Starts a run once for each order."),
    cart: z
      .strictObject({ idle: duration })
      .optional()
      .describe("Starts a run when a cart stays as it is for so long."),
  })
  .meta({ id: "OrchestrationTrigger", description: "Several may stand together; each of them starts runs." });

const entry = z
  .strictObject({
    reentry: reentryShape
      .default("once")
      .describe("`always` ends the run that is on its way; `after` counts from the last entry."),
    key: key.optional().describe("Property of the starting activity: one run at a time for each of its values."),
    audience: key.optional().describe("Key of a saved audience that the contact must be in."),
    holdoutPercent: z.number().min(0).max(100).default(0).describe("Share of contacts that only count towards goals."),
  })
  .meta({ id: "OrchestrationEntry" });

const goal = z
  .strictObject({ name, event: action, ...eventMembers, within: duration.default({ n: 30, unit: "day" }) })
  .meta({
    id: "OrchestrationGoal",
    description: "Counts once a run, also after its end, while `within` has not passed since the entry.",
    examples: [{ name: "bought", event: "purchase", within: { n: 7, unit: "day" } }],
  });
export type Goal = z.output<typeof goal>;

const until = z.strictObject({
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 09:30"),
  weekday: z.enum(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]).optional(),
  zone: text(64)
    .refine((zone) => zone === "account" || zone === "contact" || canonicalTimezone(zone) !== undefined, {
      message: "must be account, contact or the IANA name of a time zone",
    })
    .default("account"),
});
export type Until = z.output<typeof until>;

const liquid = z.record(text(KEY_CHARACTERS_MAX), z.unknown());
const listNames = z.array(text(shapes.bounds.listNameCharacters)).max(ORCHESTRATION_LIMITS.conditions).optional();

/** The `config` of each type of node. */
const configs = {
  message: z.strictObject({
    templateKey: key,
    mergeData: z.record(z.string(), z.unknown()).optional().describe("Replaces members of the run's `extVars`."),
    expiresAfter: duration.optional().describe("Counts from when the step was due."),
    onSkip: z
      .enum(["next", "exit"])
      .default("next")
      .describe("Where a run goes whose contact does not get the message."),
  }),
  delay: z
    .strictObject({
      for: duration.optional(),
      until: until.optional(),
      field: key
        .optional()
        .describe("Date of the contact (`attributes.<name>`) or the starting activity (`event.<name>`)."),
      offset: offset.optional(),
    })
    .superRefine(exactlyOne(["for", "until", "field"])),
  wait: z.strictObject({
    any: z.array(condition).min(1).max(ORCHESTRATION_LIMITS.conditions),
    timeout: duration,
    since: z
      .enum(["entry", "here"])
      .default("entry")
      .describe("`entry` also counts activities that came after the entry and before the run got here."),
  }),
  filter: z.strictObject({ criteria }),
  split: z.strictObject({
    paths: z
      .array(z.strictObject({ label: nodeId, weight: z.number().min(0).max(WEIGHT_MAX) }))
      .min(1)
      .max(ORCHESTRATION_LIMITS.paths),
  }),
  transformation: z
    .strictObject({
      set: z
        .strictObject({
          attributes: liquid.optional().describe("Texts are Liquid."),
          lists: z.strictObject({ add: listNames, remove: listNames }).optional(),
        })
        .optional(),
      key: key.optional().describe("Key of a data job, which reads `{contact, event, extVars}`."),
    })
    .superRefine(exactlyOne(["set", "key"])),
  webhook: z.strictObject({
    url: z.url({ protocol: /^https?$/, message: "must be an http or https URL" }).max(URL_CHARACTERS_MAX),
    body: text(ORCHESTRATION_LIMITS.webhookBodyCharacters).optional().describe("Liquid that renders to JSON."),
  }),
  goal: z.strictObject({ name }),
  exit: z.strictObject({ name: name.optional() }),
} as const;

const NODE_TYPES = [
  ...["message", "delay", "wait", "filter", "split", "transformation", "webhook", "goal", "exit"],
] as const satisfies readonly (keyof typeof configs)[];

const edge = z.object({ id: nodeId, label: nodeId.optional() });
const shared = { id: nodeId, label: name, next: z.array(edge) };

/** A node of a published version. */
export const nodeSchema = z.discriminatedUnion("type", [
  z.object({ ...shared, type: z.literal("message"), config: configs.message }),
  z.object({ ...shared, type: z.literal("delay"), config: configs.delay }),
  z.object({ ...shared, type: z.literal("wait"), config: configs.wait }),
  z.object({ ...shared, type: z.literal("filter"), config: configs.filter }),
  z.object({ ...shared, type: z.literal("split"), config: configs.split }),
  z.object({ ...shared, type: z.literal("transformation"), config: configs.transformation }),
  z.object({ ...shared, type: z.literal("webhook"), config: configs.webhook }),
  z.object({ ...shared, type: z.literal("goal"), config: configs.goal }),
  z.object({ ...shared, type: z.literal("exit"), config: configs.exit }),
]);
export type Node = z.output<typeof nodeSchema>;

/** A node as an editor saves it: its `config` is checked when it is published. */
const draftAction = z
  .object({
    id: nodeId,
    type: z.enum(NODE_TYPES),
    label: name.optional().describe("Default: the id."),
    templateKey: key.optional().describe("For `message`, here or in `config`."),
    config: z.looseObject({}).optional(),
    next: z.array(edge).max(ORCHESTRATION_LIMITS.edges).optional(),
  })
  .meta({
    id: "OrchestrationAction",
    description:
      "A node. Edges carry the result they stand for: `yes`, `no` of a filter, the labels of a split, `0`, `1`, …, `timeout` of a wait, " +
      "`ok`, `failed` of a webhook. A result without an edge ends the run.",
    examples: [{ id: "remind", type: "message", config: { templateKey: "cart-reminder" }, next: [{ id: "wait" }] }],
  });
export type DraftAction = z.output<typeof draftAction>;

/** More nodes than a version may have: an editor can save what cannot be published yet. */
const draftActions = z.array(draftAction).max(5 * ORCHESTRATION_LIMITS.nodes);

/** Members that `publish: true` makes a version of. */
const draftMembers = {
  trigger,
  entry,
  exit: z
    .array(condition)
    .max(ORCHESTRATION_LIMITS.conditions)
    .describe("Activities act at once, criteria before a step."),
  goals: z.array(goal).max(ORCHESTRATION_LIMITS.goals),
};

/** Draft of an orchestration: the body's members that take effect when it is published. */
export const draftSchema = z.object({
  ...draftMembers,
  trigger: trigger.default(trigger.parse({})),
  entry: entry.default(entry.parse({})),
  exit: draftMembers.exit.default([]),
  goals: draftMembers.goals.default([]),
  actions: draftActions.default([]),
});
export type Draft = z.output<typeof draftSchema>;

/** Content of a published version. It never changes. */
export const compositionSchema = z.object({ ...draftMembers, actions: z.array(nodeSchema) });
export type Composition = z.output<typeof compositionSchema>;

/** Members of an orchestration, as bodies give them: `null` removes one, or brings back its default. */
export const orchestrationMembers = {
  name,
  tags: z.array(text(128)).max(ORCHESTRATION_LIMITS.tags).nullish(),
  status: z.boolean().optional().describe("True enables it. A new orchestration is disabled."),
  trigger: trigger.nullish(),
  entry: entry.nullish(),
  exit: draftMembers.exit.nullish(),
  goals: draftMembers.goals.nullish(),
  composition: z.object({ draft: z.object({ actions: draftActions }) }).optional(),
};

/** Members that publish the draft of an orchestration. */
export const publishMembers = {
  publish: z.boolean().optional().describe("True makes the draft the version that new runs follow."),
  migrate: z
    .record(nodeId, nodeId)
    .refine((nodes) => Object.keys(nodes).length <= ORCHESTRATION_LIMITS.nodes, {
      message: `can name at most ${ORCHESTRATION_LIMITS.nodes} nodes`,
      params: { code: "too_many" },
    })
    .optional()
    .describe(
      "With `publish`: former node to new node. Runs at these nodes go on in the new version, all others stay on theirs.",
    ),
};

/** Body that creates an orchestration, for the documentation of its routes. */
export const orchestrationExample = {
  name: "Cart reminder",
  tags: ["cart"],
  trigger: { cart: { idle: { n: 4, unit: "hour" } } },
  entry: { reentry: "after-exit", holdoutPercent: 5 },
  exit: [{ event: "purchase" }],
  goals: [{ name: "bought", event: "purchase", within: { n: 7, unit: "day" } }],
  composition: {
    draft: {
      actions: [
        { id: "remind", type: "message", config: { templateKey: "cart-reminder" }, next: [{ id: "wait" }] },
        {
          id: "wait",
          type: "wait",
          config: { any: [{ event: "click" }], timeout: { n: 2, unit: "day" } },
          next: [{ id: "coupon", label: "timeout" }],
        },
        { id: "coupon", type: "message", templateKey: "cart-coupon" },
      ],
    },
  },
} as const;

/** Returns the results that edges of a node carry as labels; none for a node with one way on. */
export function resultsOf(node: Node): readonly string[] {
  switch (node.type) {
    case "filter":
      return ["yes", "no"];
    case "wait":
      return [...node.config.any.map((_, index) => String(index)), TIMEOUT];
    case "split":
      return node.config.paths.map(({ label }) => label);
    case "webhook":
      return ["ok", "failed"];
    case "message":
    case "delay":
    case "transformation":
    case "goal":
    case "exit":
      return [];
  }
}

/** Begins the names of a delay's dates that the starting activity has. */
export const EVENT_FIELD = "event.";

/** The result of a wait whose time is over. */
export const TIMEOUT = "timeout";
