import type { Command } from "commander";
import { z } from "zod";

/** `--account`: past the API, in the database. */
export function addAccount(command: Command): Command {
  return command.option("--account <account>", "an operator's way: by id or name, in Postgres itself, without a key");
}

export const accountOption = { account: z.string().min(1).optional() };

/** Adds the options of a new key besides its scopes. */
export function addKeyDetails(command: Command): Command {
  return command
    .option("--scopes <scopes>", "separated by commas: read, write, admin, intake, <resource>:read, <resource>:write")
    .option("--expires <time>", "ISO 8601; without it the key has no end")
    .option("--allow-ip <networks>", "only from these addresses and ranges (CIDR), separated by commas");
}

const commaList = z.string().transform((list) => list.split(",").map((part) => part.trim()));

export const keyDetails = {
  scopes: commaList.optional(),
  expires: z.string().optional(),
  allowIp: commaList.optional(),
};

interface KeyDetails {
  readonly scopes?: string[] | undefined;
  readonly expires?: string | undefined;
  readonly allowIp?: string[] | undefined;
}

/** Their names in the body of `POST /v2/apikeys`; what was not typed is left out. */
export function detailsOf({ scopes, expires, allowIp }: KeyDetails) {
  return {
    ...(scopes !== undefined && { scopes }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(allowIp !== undefined && { allowIPs: allowIp }),
  };
}
