import { type AccountSettings, identifierOfChannel } from "@headwater/contracts";

/** The paths of a channel's members, and the name by which its address finds the contact. */
export interface ChannelPaths {
  readonly address: string;
  readonly subscribeStatus: string;
  readonly subscribedAt: string;
  readonly unsubscribedAt: string;
  readonly valid: string;
  readonly identifier: string;
}

/** Names beyond it are forgotten and made again: an account may bring up any number of them. */
const PATHS_MAX = 10_000;

/**
 * Paths of members as change records name them, each made once: records name the same few again and again, and what was made
 * for each of them would live until its batch is stored.
 */
export class MemberPaths {
  readonly #attributes = new Map<string, string>();
  readonly #identifiers = new Map<string, string>();
  readonly #channels = new Map<string, ChannelPaths>();

  attribute(name: string): string {
    return this.#attributes.get(name) ?? remember(this.#attributes, name, `attributes.${name}`);
  }

  identifier(name: string): string {
    return this.#identifiers.get(name) ?? remember(this.#identifiers, name, `identifiers.${name}`);
  }

  channel(name: string): ChannelPaths {
    return this.#channels.get(name) ?? remember(this.#channels, name, channelPaths(name));
  }
}

function channelPaths(name: string): ChannelPaths {
  return {
    address: `channels.${name}.address`,
    subscribeStatus: `channels.${name}.subscribeStatus`,
    subscribedAt: `channels.${name}.subscribedAt`,
    unsubscribedAt: `channels.${name}.unsubscribedAt`,
    valid: `channels.${name}.valid`,
    identifier: identifierOfChannel(name),
  };
}

function remember<Path>(paths: Map<string, Path>, name: string, path: Path): Path {
  if (paths.size >= PATHS_MAX) paths.clear();
  paths.set(name, path);
  return path;
}

const pathsOf = new WeakMap<AccountSettings, MemberPaths>();

/** Returns the paths of the account with these settings. */
export function memberPaths(settings: AccountSettings): MemberPaths {
  const known = pathsOf.get(settings);
  if (known !== undefined) return known;
  const created = new MemberPaths();
  pathsOf.set(settings, created);
  return created;
}
