import type { Account } from "@headwater/contracts";
import { parseTime } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import { z } from "zod";
import { BATCH_HEADER } from "../messages/messageBody.ts";
import { orDefault } from "../messages/orDefault.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import type { BatchMessageMembers } from "./batchMessages.ts";
import { checkAudience } from "./checkAudience.ts";
import { type ContentsToCheck, checkContents, mistakesOfTests } from "./checkContents.ts";
import { mistakesOfGoals } from "./examineGoal.ts";
import { defaultSettings, type MessageSettings, messageMembers, settingsShape } from "./messageMembers.ts";
import type { MessagePorts } from "./messagePorts.ts";
import type { CheckedParts } from "./resolveMessage.ts";
import { readMessageContent } from "./storedMessage.ts";

/** The members of a body, none of which is needed. */
export const inputMembers = z.object(messageMembers).partial();
export type MembersInput = z.output<typeof inputMembers>;

/** The message as it was, or as it begins. */
export type FormerMessage = Omit<BatchMessageMembers, "settings"> & { readonly settings: MessageSettings };

export interface ChangedMessage {
  readonly members: BatchMessageMembers;
  readonly checked: CheckedParts;
}

/**
 * Puts a body's members into a message and checks the whole of it.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` or `INVALID_AUDIENCE_RULES` with every mistake of a part.
 */
export async function checkMembers(
  former: FormerMessage,
  input: MembersInput,
  { account, ports }: { readonly account: Account; readonly ports: Omit<MessagePorts, "clock"> },
): Promise<ChangedMessage> {
  const settings = changedSettings(former.settings, input);
  const { scheduleAt, problems } = checkSchedule(input, account, former.scheduleAt);
  const goals = await mistakesOfGoals(settings.tests, account, ports);
  const mistakes = [...problems, ...mistakesOfTests(settings.tests), ...goals];
  if (mistakes.length > 0) throw invalidContent(mistakes);
  const { channel = former.channel } = input;
  const message = input.message === undefined ? messageOf(former.content) : input.message;
  const toCheck: ContentsToCheck | undefined =
    message === null ? undefined : { channel, message, tests: settings.tests, alsoNeeded: BATCH_HEADER };
  const contents = toCheck && (await checkContents(account.number, toCheck, ports));
  const audience = await checkAudience(input, { account }, ports);
  const { audienceKey, criteria, lists } = audience ?? former;
  const members = {
    channel,
    tags: input.tags === undefined ? former.tags : input.tags,
    transportId: settings.transportID,
    ...{ audienceKey, criteria, lists, scheduleAt },
    settings: JSON.stringify(settings),
    content: contents === undefined ? null : JSON.stringify(contents.content),
  };
  return { members, checked: { contents, audience } };
}

function messageOf(content: string | null) {
  return content === null ? null : readMessageContent(content).base.message;
}

/** Members that the body leaves out stay. */
function changedSettings(former: MessageSettings, provided: MembersInput): MessageSettings {
  return settingsShape.parse({ ...former, ...orDefault(provided, defaultSettings) });
}

/** Members of a body that say when a message is sent. */
interface ScheduleInput {
  readonly schedule?: string | null | undefined;
  readonly sendTimeType?: "immediate" | "scheduled" | null | undefined;
}

interface CheckedSchedule {
  /** Milliseconds since 1970. */
  readonly scheduleAt: number | null;
  readonly problems: readonly ErrorDetail[];
}

/** Reads when a message is sent. @param known the schedule of before: it stays where the body says nothing. */
function checkSchedule(
  { schedule, sendTimeType }: ScheduleInput,
  { settings: { timezone } }: Account,
  known: number | null,
): CheckedSchedule {
  const at = typeof schedule === "string" ? parseTime(schedule, timezone) : undefined;
  if (typeof schedule === "string" && (at === undefined || at < 0)) {
    const message = "The value is not an ISO 8601 date or timestamp.";
    return { scheduleAt: known, problems: [{ path: "/schedule", code: "bad_value", message }] };
  }
  const scheduleAt = schedule === undefined ? known : (at ?? null);
  const type = scheduleAt === null ? "immediate" : "scheduled";
  if ((sendTimeType ?? type) === type) return { scheduleAt, problems: [] };
  const message = scheduleAt === null ? "`schedule` is missing." : "`schedule` says when it is sent.";
  return { scheduleAt, problems: [{ path: "/sendTimeType", code: "bad_value", message }] };
}
