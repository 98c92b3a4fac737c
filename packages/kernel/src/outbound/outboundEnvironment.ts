import { z } from "zod";
import { isNetwork } from "../networks.ts";

/** Every address there is. */
const EVERYWHERE = ["0.0.0.0/0", "::/0"];

/** Reasons to refuse a private address, with the variable by which an operator allows it. */
export const privateAddressRefused = {
  transport:
    "The host has a private address, which transports may not reach. The operator can allow it in HEADWATER_PRIVATE_TRANSPORTS.",
  outgoing:
    "The host has a private address, which outgoing connections may not reach. The operator can allow it in HEADWATER_OUTBOUND_ALLOW.",
} as const;

/** Variables of a process that connects to message transports. */
export const transportEnvironment = {
  /** Private addresses that transports may reach: `true` for all of them, or addresses and CIDR ranges, separated by commas. */
  HEADWATER_PRIVATE_TRANSPORTS: z
    .string()
    .default("")
    .transform((text) => {
      if (/^(true|1|yes|on)$/i.test(text.trim())) return EVERYWHERE;
      if (/^(false|0|no|off)$/i.test(text.trim())) return [];
      return text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
    })
    .refine((entries) => entries.every(isNetwork), { message: "must be true, false, or IP addresses and CIDR ranges" }),
};

/** Variables of a process that connects to hosts that accounts name. */
export const outboundEnvironment = {
  /** Addresses and CIDR ranges, separated by commas, that may be reached although they are not public. */
  HEADWATER_OUTBOUND_ALLOW: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()])))
    .refine((entries) => entries.every(isNetwork), { message: "must be IP addresses or CIDR ranges" }),
  /** Keys that secrets of accounts and jobs are encrypted with, 64 hex digits a line. Not set: none are taken. */
  HEADWATER_SETTINGS_KEY_FILE: z.string().optional(),
  /** The server that mails go out through, as `smtp://user:password@host:587`. Not set: no mail is sent. */
  HEADWATER_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional(),
  /** Sender of mails. */
  HEADWATER_SMTP_FROM: z.string().min(3).default("Headwater <headwater@localhost>"),
};
