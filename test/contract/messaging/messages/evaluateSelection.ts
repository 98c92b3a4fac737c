import { parseMcId } from "@headwater/contracts";
import type { MessageSelection } from "@headwater/criteria";
import type { Campaign, CampaignActivity } from "./campaign.ts";

/** Returns whether a message of a type is selected, by what its sends say of it. */
export function isSelected(
  { message, type }: { readonly message: string; readonly type: string },
  campaign: Campaign,
  selection: MessageSelection,
): boolean {
  const { group, channel, channelType, name, tags, orchestrationId, orchestrationName, audienceKeys } = selection;
  if (selection.type !== undefined && selection.type !== type) return false;
  const facts = factsOf(message, campaign);
  const is = (fact: string, text: string | undefined) => text === undefined || facts(fact) === text;
  const list = (fact: string) => [facts(fact)].flat();
  const names = tags?.names ?? [];
  const hasTags = names[tags?.operator === "all" ? "every" : "some"]((tag) => list("tags").includes(tag));
  return (
    (group === undefined || isInGroup(message, facts, group)) &&
    is("channel", channel) &&
    is("channelType", channelType) &&
    is("messageName", name) &&
    (tags === undefined || hasTags) &&
    is("orchestrationID", orchestrationId) &&
    is("orchestrationName", orchestrationName) &&
    (audienceKeys === undefined || audienceKeys.some((key) => list("audienceKeys").includes(key)))
  );
}

type Facts = (name: string) => unknown;

function isInGroup(message: string, facts: Facts, group: NonNullable<MessageSelection["group"]>): boolean {
  const tags = [facts("tags")].flat();
  const [key, orchestration] = [facts("messageKey"), facts("orchestrationID")];
  return (
    group.ids.includes(message) ||
    group.keys.some((one) => one === key) ||
    group.tags.some((tag) => tags.includes(tag)) ||
    group.orchestrationIds.some((id) => id === orchestration) ||
    (typeof orchestration === "string" && group.orchestrationTags.some((tag) => tags.includes(tag)))
  );
}

/** A fact of a message is what its newest send says that says it; tests say nothing. */
export function factsOf(message: string, { activities }: Campaign): Facts {
  const sends = activities.filter(({ action, mcId }) => {
    const parsed = parseMcId(mcId);
    return action === "message-sent" && parsed?.message === message && parsed.type !== "t";
  });
  const newestFirst = sends.toSorted(newerFirst);
  return (name) =>
    newestFirst.map(({ properties }) => properties[name]).find((said) => said !== undefined && said !== null);
}

function newerFirst(a: CampaignActivity, b: CampaignActivity): number {
  return b.time - a.time || b.ingested - a.ingested || (a.uid < b.uid ? 1 : -1);
}
