import { refuseLostNumbers, shapes } from "@headwater/contracts";
import { hasLongerJson } from "@headwater/kernel";
import { z } from "zod";
import { mailAttachments } from "../compose/attachments.ts";
import { messageLimits } from "../limits.ts";

/** Limits of one call. */
export const sendLimits = { recipients: 100, testRecipients: 20, members: 1_000, nameCharacters: 1_024 } as const;

/** An object of any members. `z.record` would take as long for each of them as all that is done with them later. */
const members = z
  .custom<Readonly<Record<string, unknown>>>(isMembers, {
    error: ({ input }) => (input === undefined ? "is required" : "must be an object"),
    params: { code: "type_mismatch" },
  })
  .meta({ type: "object", additionalProperties: true });

const recipient = members.superRefine((named, context) => {
  const names = Object.keys(named);
  const refuse = (code: string, message: string) => context.addIssue({ code: "custom", message, params: { code } });
  if (names.length === 0) refuse("required", "must name somebody");
  else if (names.length > sendLimits.members) refuse("too_many", `has more than ${sendLimits.members} members`);
  else if (!names.every(isName))
    refuse("too_long", `has a name of 0 or more than ${sendLimits.nameCharacters} characters`);
});
export type RecipientBody = z.output<typeof recipient>;

const mergeData = members
  .refine((data) => !hasLongerJson(data, messageLimits.contextBytes), {
    message: `has more than ${messageLimits.contextBytes} bytes`,
    params: { code: "too_long" },
    abort: true,
  })
  .superRefine(refuseLostNumbers)
  .meta({ type: "object", additionalProperties: true });

function isMembers(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isName(name: string): boolean {
  return name.length > 0 && name.length <= sendLimits.nameCharacters;
}

const shared = {
  mergeData: mergeData.optional(),
  extVars: mergeData.optional().describe("Another name of `mergeData`."),
  identifyBy: shapes.identifiersPriority.optional(),
  attachments: mailAttachments.optional(),
};
const recipients = (max: number) =>
  z
    .union([recipient, z.array(recipient).min(1).max(max)], {
      error: ({ input }) => (input === undefined ? undefined : "must be an object or an array"),
    })
    .describe("One recipient or several: `email` or other identifiers; other members are attributes to write.");

export const sendBody = z.object({ to: recipients(sendLimits.recipients), ...shared });
export const testBody = z.object({ to: recipients(sendLimits.testRecipients), ...shared });
export type SendBody = z.output<typeof sendBody>;

export const sentShape = z.strictObject({
  success: z.boolean(),
  message: z.string(),
  messagecontacts: z.array(
    z.strictObject({
      accepted: z.boolean().describe("The message is stored to be sent."),
      cID: z
        .string()
        .optional()
        .describe("The contact that `mcID` names; 24 zeros for a recipient of a test who is no contact."),
      mcID: z.string().optional(),
      email: z.string().optional(),
      address: z.string().optional(),
      error: z
        .enum(["not-found", "no-address", "invalid-address", "suppressed", "not-subscribed", "key", "reentry"])
        .optional()
        .describe("`key` and `reentry`: the template's `entry` refuses it."),
    }),
  ),
});
export type MessageContact = z.output<typeof sentShape>["messagecontacts"][number];

export const sendExample = {
  to: { email: "grace@example.com", first_name: "Grace" },
  mergeData: { orderNumber: "A-1007" },
};
const cID = "65f0c0ffee65f0c0ffee0001";
export const sentExample = {
  success: true,
  message: "1 of 1 stored to be sent.",
  messagecontacts: [
    {
      accepted: true,
      ...{ cID, mcID: `65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00d1:d260109:a:${cID}:1` },
      email: "grace@example.com",
    },
  ],
};
