import {
  equal,
  type Members,
  type ModelContact,
  type ModelOutcome,
  membersOf,
  type Origin,
  type Written,
} from "./shapes.ts";

export interface ModelRecord {
  readonly contact: ModelContact | undefined;
  readonly members: Map<string, Written>;
}

/** The tables of the load: records of the second one belong to contacts. */
export const tables = ["cars", "cards"] as const;

const none: ReadonlySet<string> = new Set();

/** Supplement records by table and id: each field has its last write. */
export class ModelSupplements {
  readonly all = new Map<string, ModelRecord>();
  readonly #ownerOf: (email: string) => ModelContact | undefined;

  constructor(ownerOf: (email: string) => ModelContact | undefined) {
    this.#ownerOf = ownerOf;
  }

  upsert(record: Members, { version }: Origin): ModelOutcome {
    const { id, ...fields } = membersOf(record.record);
    const key = `${record.supplement}\n${id}`;
    const known = this.all.get(key);
    const isOfContact = record.supplement === "cards";
    const contact = isOfContact ? (known?.contact ?? this.#ownerOf(String(fields.email))) : undefined;
    if (isOfContact && contact === undefined) return { kind: "unknown" };
    const members = known?.members ?? new Map<string, Written>();
    let [changed, superseded] = [known === undefined ? 1 : 0, 0];
    for (const [name, value] of Object.entries(fields)) {
      const before = members.get(name);
      if (before !== undefined && before.version > version) {
        superseded++;
        continue;
      }
      if (!equal(before?.value ?? null, value)) changed++;
      members.set(name, { value, version });
    }
    this.all.set(key, { contact, members });
    if (changed > 0) return { kind: "applied", warnings: none };
    return { kind: "skipped", code: superseded > 0 ? "SUPERSEDED" : "UNCHANGED", warnings: none };
  }
}
