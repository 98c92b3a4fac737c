import { canonicalChannel, shapes } from "@headwater/contracts";
import { z } from "zod";

const { address, ...channelMembers } = shapes.channel.shape;
/** A channel that is there already needs no address again, and null removes its address. */
const channel = z.object({ address: address.unwrap().nullable().optional(), ...channelMembers });
const channelOrNull = channel
  .nullable()
  .meta({ description: "null removes the channel's address, as `address: null` does; its subscription is kept." });
const addressedChannel = z.object({ address: address.unwrap(), ...channelMembers });
const channelName = z.string().min(1).max(128);

/** Describes channels by name. Every account's own channels are meant in any case, and a body names each once. */
function channelsOf<Channel extends z.ZodType>(one: Channel) {
  return z
    .record(channelName, one)
    .superRefine((named, context) => refuseTwice(named, canonicalChannel, context))
    .overwrite((named) =>
      Object.fromEntries(Object.entries(named).map(([name, channel]) => [canonicalChannel(name), channel])),
    );
}

/** Refuses two spellings of one name: only one of them could be stored. */
function refuseTwice(named: object, meaningOf: (name: string) => string, context: z.RefinementCtx): void {
  const spellings = new Map<string, string>();
  for (const name of Object.keys(named)) {
    const first = spellings.get(meaningOf(name));
    if (first === undefined) spellings.set(meaningOf(name), name);
    else {
      const message = `is a second spelling of \`${first}\``;
      context.addIssue({ code: "custom", path: [name], message, params: { code: "bad_value" } });
    }
  }
}

const listName = shapes.listTarget.listName.unwrap();
const LISTS_MAX = 1_000;
/** An object says of each list whether the contact is on it; an array adds and never removes. */
const lists = z.union([
  z
    .record(listName, z.boolean())
    .refine((named) => Object.keys(named).length <= LISTS_MAX, {
      message: `contains more than ${LISTS_MAX} lists`,
    })
    .superRefine((named, context) => refuseTwice(named, (name) => name.toLowerCase(), context)),
  z.array(listName).max(LISTS_MAX),
]);

const shared = {
  attributes: z
    .record(z.string(), z.unknown())
    .refine((named) => !Object.hasOwn(named, "channels"), {
      message: "must not contain channels; send `channels` at the top level",
      path: ["channels"],
      params: { code: "not_allowed" },
    })
    .optional(),
  lists: lists.optional(),
  suppressTriggers: shapes.suppressTriggers.describe(
    "False: joining or leaving a list may start an automation. Default true.",
  ),
  forceSubscribe: z.boolean().optional(),
  mergeOptions: z.object(shapes.mergeOptions.shape).optional(),
  restrictedUpdateAttrKeys: shapes.contactMembers.restrictedUpdateAttrKeys,
};

/** Body of a POST: `channels` name the contact, with the keys of `identifyBy`. */
export const newContactBody = z.object({
  channels: channelsOf(addressedChannel)
    .refine((named) => Object.keys(named).length > 0, {
      message: "names no channel",
      params: { code: "required" },
    })
    .superRefine(shapes.refusePending),
  identifyBy: shapes.identifiersPriority.optional(),
  ...shared,
});
export type NewContactBody = z.output<typeof newContactBody>;

/** Body of a PUT: the path names the contact. */
export const contactBody = z.object({
  channels: channelsOf(channelOrNull).superRefine(shapes.refusePending).optional(),
  ...shared,
});
export type ContactBody = z.output<typeof contactBody>;

export const newContactExample = {
  channels: { email: { address: "grace@example.com", subscribeStatus: "subscribed" } },
  attributes: { country: "GB", lifetime_value: 512.5, interests: ["lamps", "clocks"] },
  lists: { vip: true },
};
