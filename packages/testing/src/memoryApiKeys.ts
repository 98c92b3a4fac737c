import type { ApiKeyRows } from "@headwater/accounts/accounts/apiKeyRows";
import type { ApiKey, NewApiKey } from "@headwater/accounts/accounts/apiKeys";

const HOUR_MS = 3_600_000;

type StoredKey = ApiKey & { readonly hash: string };

/** Keys of accounts in memory: what Postgres keeps in `intake.api_keys`. It passes `apiKeyRowsContract`. */
export class MemoryApiKeys implements ApiKeyRows {
  readonly #nowMs: () => number;
  #keys: readonly StoredKey[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Runs writes that are all undone when they fail. */
  async transaction<Result>(run: (rows: ApiKeyRows) => Promise<Result>): Promise<Result> {
    const before = this.#keys;
    try {
      return await run(this);
    } catch (error) {
      this.#keys = before;
      throw error;
    }
  }

  async list(account: number): Promise<readonly ApiKey[]> {
    const own = this.#keys.filter((key) => key.account === account);
    return own.map(({ hash: _hash, ...key }) => key);
  }

  async count(account: number): Promise<number> {
    return this.#keys.filter((key) => key.account === account && key.revokedAt === null).length;
  }

  async create({ hash, ...input }: NewApiKey): Promise<ApiKey> {
    const nothing = { allowIps: null, rotates: null, expiresAt: null, revokedAt: null, lastUsedAt: null };
    const key = { ...nothing, ...input, createdAt: new Date(this.#nowMs()) };
    this.#keys = [...this.#keys, { ...key, hash }];
    return key;
  }

  async lock(account: number, id: string) {
    const key = (await this.list(account)).find((one) => one.id === id && this.#isValid(one));
    if (key === undefined) return undefined;
    return { key, isReplaced: this.#keys.some((one) => one.rotates === id && this.#isValid(one)) };
  }

  async end(id: string, hours: number): Promise<string | undefined> {
    const endMs = this.#nowMs() + hours * HOUR_MS;
    return this.#change(
      (key) => key.id === id,
      ({ expiresAt }) => ({ expiresAt: new Date(Math.min(expiresAt?.getTime() ?? endMs, endMs)) }),
    );
  }

  async revoke(account: number, id: string): Promise<string | undefined> {
    return this.#change(
      (key) => key.account === account && key.id === id && key.revokedAt === null,
      () => ({ revokedAt: new Date(this.#nowMs()) }),
    );
  }

  #isValid({ revokedAt, expiresAt }: ApiKey): boolean {
    return revokedAt === null && (expiresAt === null || expiresAt.getTime() > this.#nowMs());
  }

  /** Changes one key. @returns its hash. */
  #change(isMeant: (key: StoredKey) => boolean, to: (key: StoredKey) => Partial<StoredKey>): string | undefined {
    const found = this.#keys.find(isMeant);
    this.#keys = this.#keys.map((key) => (key === found ? { ...key, ...to(key) } : key));
    return found?.hash;
  }
}
