import { z } from "zod";
import { listTarget } from "./shapes.ts";

const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const channel = z.string().min(1).max(128);
const words = z
  .array(
    z
      .string()
      .regex(/^[^\s\p{Cc}]{1,32}$/u, "is not one word")
      .transform((word) => word.toUpperCase()),
  )
  .max(50);
/** Bounds of the parameters that an account adds to its tracked links. */
export const linkParameterBounds = { count: 50, nameCharacters: 128, valueCharacters: 1_000 } as const;

const linkParameters = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]+$/, "is not a name of letters, digits, `_`, `.` and `-`")
      .max(linkParameterBounds.nameCharacters),
    z.string().min(1).max(linkParameterBounds.valueCharacters),
  )
  .refine((parameters) => Object.keys(parameters).length <= linkParameterBounds.count, {
    message: `has more than ${linkParameterBounds.count} parameters`,
  });

/** Lists that the unsubscribe page offers at most. */
export const PREFERENCE_LISTS_MAX = 20;

const preferenceLists = z
  .array(listTarget.listName.unwrap())
  .max(PREFERENCE_LISTS_MAX)
  .refine((names) => new Set(names.map((name) => name.toLowerCase())).size === names.length, {
    message: "names a list twice",
  });

/** Domains of links that an account has at most. */
export const DOMAINS_MAX = 20;

/** Host names, each with a port where it has one of its own, by the key that messages name. */
const domains = z
  .record(
    z.string().min(1).max(128),
    z
      .string()
      .max(253)
      .toLowerCase()
      .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?$/, "is not a host name"),
  )
  .refine((hosts) => Object.keys(hosts).length <= DOMAINS_MAX, { message: `has more than ${DOMAINS_MAX} domains` });

const softBounces = z.strictObject({
  count: z.number().int().min(1).max(100).default(5),
  days: z.number().int().min(1).max(365).default(30),
});

const smsKeywords = z.strictObject({
  stop: words.default(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"]),
  start: words.default(["START", "UNSTOP", "YES"]),
  help: words.default(["HELP", "INFO"]),
  helpText: z.string().min(1).max(1_600).optional(),
});

const hours = z.number().int().min(1).max(720);

/** Rules of an account for its messages. */
export const messagingSettings = z.strictObject({
  /** Attribute that holds a contact's time zone; else that of its first geo attribute, else the account's. */
  timezoneAttribute: z.string().min(1).max(1_024).optional(),
  /** Promotional messages wait until they end, in the contact's time zone. Without channels they hold for all. */
  quietHours: z
    .strictObject({
      from: z.string().regex(TIME, "is not a time as 22:00"),
      to: z.string().regex(TIME, "is not a time as 22:00"),
      channels: z.array(channel).min(1).max(100).optional(),
    })
    .refine(({ from, to }) => from !== to, { message: "must end at another time than they begin", path: ["to"] })
    .optional(),
  /** Promotional messages that a contact gets at most in any window of this length. */
  caps: z
    .array(
      z.strictObject({
        channel,
        count: z.number().int().min(1).max(10_000),
        per: z.strictObject({
          n: z.number().int().min(1).max(366),
          unit: z.enum(["minute", "hour", "day", "week"]),
        }),
      }),
    )
    .max(20)
    .default([]),
  /** A message that starts later than this after its time is paused. */
  lateAfterHours: z.number().int().min(1).max(720).default(6),
  /** Time for which a deferred message is tried. */
  giveUpAfterHours: z.strictObject({ promotional: hours.default(24), transactional: hours.default(72) }).prefault({}),
  /** Soft bounces on as many days, without an open or click between, count as a hard one. */
  softBounces: softBounces.prefault({}),
  /** First words of incoming messages, in any case. `helpText` answers `help`. */
  smsKeywords: smsKeywords.prefault({}),
  /** Days after a click in which an order that names no message is revenue of the clicked one; 0 for none. */
  attributionDays: z.number().int().min(0).max(365).default(5),
  /** Liquid by name of the query parameter that tracked links get, unless they have it. */
  linkParameters: linkParameters.default({}),
  /** Hosts of links, pixels and unsubscribe addresses, by the `vanityDomainKey` of messages. They lead to the tracker. */
  domains: domains.default({}),
  /** Lists that the unsubscribe page offers to join and to leave, in this order. */
  preferenceLists: preferenceLists.default([]),
  /** Promotional email must hold `links.unsubscribe`. */
  requireUnsubscribeLink: z.boolean().default(true),
});
export type MessagingSettings = z.infer<typeof messagingSettings>;

/** The rules as they may be written: what former versions took and cannot be meant is refused, and still read. */
export const writtenMessagingSettings = messagingSettings.extend({
  softBounces: softBounces
    .refine(({ count, days }) => count <= days, {
      message: "is more than `days`: soft bounces count once a day",
      path: ["count"],
    })
    .prefault({}),
  smsKeywords: smsKeywords
    .refine(({ stop }) => stop.length > 0, {
      message: "must not be empty: people must be able to unsubscribe",
      path: ["stop"],
    })
    .prefault({}),
});
