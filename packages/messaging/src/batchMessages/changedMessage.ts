import type { Account } from "@headwater/contracts";
import { z } from "zod";
import { BATCH_HEADER } from "../messages/messageBody.ts";
import { orUsual } from "../messages/orUsual.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import type { BatchMessageMembers } from "./batchMessages.ts";
import { checkAudience } from "./checkAudience.ts";
import { type ContentsToCheck, checkContents, mistakesOfTests } from "./checkContents.ts";
import { checkSchedule } from "./checkSchedule.ts";
import { mistakesOfGoals } from "./examineGoal.ts";
import { type MessageSettings, messageMembers, settingsShape, usualSettings } from "./messageMembers.ts";
import type { MessagePorts } from "./messagePorts.ts";
import type { CheckedParts } from "./settleMessage.ts";
import { readMessageContent } from "./storedMessage.ts";

/** The members of a body, none of which is needed. */
export const givenMembers = z.object(messageMembers).partial();
export type GivenMembers = z.output<typeof givenMembers>;

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
  given: GivenMembers,
  { account, ports }: { readonly account: Account; readonly ports: Omit<MessagePorts, "clock"> },
): Promise<ChangedMessage> {
  const settings = changedSettings(former.settings, given);
  const { scheduleAt, problems } = checkSchedule(given, account, former.scheduleAt);
  const goals = await mistakesOfGoals(settings.tests, account, ports);
  const mistakes = [...problems, ...mistakesOfTests(settings.tests), ...goals];
  if (mistakes.length > 0) throw invalidContent(mistakes);
  const { channel = former.channel } = given;
  const message = given.message === undefined ? messageOf(former.content) : given.message;
  const toCheck: ContentsToCheck | undefined =
    message === null ? undefined : { channel, message, tests: settings.tests, alsoNeeded: BATCH_HEADER };
  const contents = toCheck && (await checkContents(account.number, toCheck, ports));
  const audience = await checkAudience(given, { account }, ports);
  const { audienceKey, criteria, lists } = audience ?? former;
  const members = {
    channel,
    tags: given.tags === undefined ? former.tags : given.tags,
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
function changedSettings(former: MessageSettings, given: GivenMembers): MessageSettings {
  return settingsShape.parse({ ...former, ...orUsual(given, usualSettings) });
}
