import { holdsAt, membersAt } from "@headwater/audiences/criteria/membersAt";
import { type Account, canonicalTimezone } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { type FactPorts, gridOf, membersOf, type Stretch } from "./facts.ts";
import type { KnownAnswer, Question } from "./simulateContact.ts";

/** Channel and classification of a template: who may get its messages depends on them. */
export interface TemplateFacts {
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
}

export interface AnswerRules {
  readonly account: Account;
  /** Criteria of the version by their pointers. */
  readonly criteria: ReadonlyMap<string, CriteriaNode>;
  /** Criteria that everybody fits. */
  readonly everybody: CriteriaNode;
  readonly templates: ReadonlyMap<string, TemplateFacts>;
}

/** A question of one contact. */
export interface Asked {
  readonly contact: number;
  readonly question: Question;
}

const MINUTE_MS = 60_000;
const PREFIX = "attributes.";

type Codes = ReadonlyMap<number, readonly number[]>;

/** Answers the questions of some contacts, each as of its own instant, with a query for each criteria of a round. */
export class SliceAnswers {
  readonly #stretch: Stretch;
  readonly #rules: AnswerRules;
  readonly #contacts: readonly number[];
  readonly #ports: FactPorts;
  readonly #grid: readonly number[];
  /** Contacts that fit criteria at the instants of the grid, by pointer. */
  readonly #onGrid = new Map<string, Codes>();

  /** @param contacts numbers of all contacts that may ask. */
  constructor(stretch: Stretch, rules: AnswerRules, contacts: readonly number[], ports: FactPorts) {
    this.#stretch = stretch;
    this.#rules = rules;
    this.#contacts = contacts;
    this.#ports = ports;
    this.#grid = gridOf({ ...stretch, stepMs: MINUTE_MS });
  }

  /** @returns the answers, in the order of the questions. */
  async answer(asked: readonly Asked[]): Promise<KnownAnswer[]> {
    const fits = await this.#fitting(asked);
    const values = await this.#values(asked);
    const answers: KnownAnswer[] = [];
    for (const [index, one] of asked.entries()) {
      const nextAt = one.question.kind === "next" ? await this.#nextAt(one.contact, one.question) : undefined;
      answers.push({ fits: fits[index] ?? [], ...values[index], nextAt });
    }
    return answers;
  }

  /** Finds the criteria that contacts fit: those of one pointer together, at all instants that are asked for. */
  async #fitting(asked: readonly Asked[]): Promise<string[][]> {
    const fits = asked.map((): string[] => []);
    const wanted = asked.flatMap(({ contact, question }, index) =>
      namesOf(question).map((name) => ({ name, contact, index, at: question.at })),
    );
    for (const [name, own] of Map.groupBy(wanted, (one) => one.name)) {
      const bounds = [...new Set(own.map(({ at }) => at))].toSorted((one, other) => one - other);
      const indexOf = new Map(bounds.map((at, position) => [at, position]));
      const codes = await this.#codes(name, [...new Set(own.map(({ contact }) => contact))], bounds);
      for (const { contact, index, at } of own)
        if (holdsAt(codes.get(contact), indexOf.get(at) ?? 0)) fits[index]?.push(name);
    }
    return fits;
  }

  #codes(name: string, contacts: readonly number[], bounds: readonly number[]): Promise<Codes> {
    const at = membersOf(this.#stretch, contacts, bounds);
    const template = name.startsWith(TEMPLATE) ? this.#rules.templates.get(name.slice(TEMPLATE.length)) : undefined;
    if (template !== undefined) return membersAt(this.#rules.everybody, { ...at, eligibleFor: template }, this.#ports);
    const criteria = this.#rules.criteria.get(name);
    if (criteria === undefined) throw new Error(`the version has no criteria at ${name}`);
    return membersAt(criteria, at, this.#ports);
  }

  async #nextAt(
    contact: number,
    { at, until, criteria }: Extract<Question, { kind: "next" }>,
  ): Promise<number | undefined> {
    let first: number | undefined;
    for (const name of criteria) {
      if (!this.#onGrid.has(name)) this.#onGrid.set(name, await this.#codes(name, this.#contacts, this.#grid));
      const codes = this.#onGrid.get(name)?.get(contact);
      const next = this.#grid.findIndex((instant, index) => instant >= at && holdsAt(codes, index));
      const instant = this.#grid[next];
      if (codes === undefined || instant === undefined || instant > until) continue;
      first = Math.min(first ?? instant, instant);
    }
    return first;
  }

  /** Reads zones and dates of contacts. With `basis: "event"` they are those of today. */
  async #values(asked: readonly Asked[]): Promise<{ readonly zone?: string | undefined; readonly value?: unknown }[]> {
    const wanted = asked.flatMap(({ contact, question }) =>
      question.kind === "ask" && (question.wantsZone || question.field !== undefined) ? [{ contact, question }] : [],
    );
    if (wanted.length === 0) return asked.map(() => ({}));
    const { timezoneAttribute } = this.#rules.account.settings.messaging;
    const fields = new Set(wanted.flatMap(({ question: { field } }) => (field === undefined ? [] : [field])));
    if (timezoneAttribute !== undefined) fields.add(PREFIX + timezoneAttribute);
    const contacts = [...new Set(wanted.map(({ contact }) => contact))];
    const wantsZone = wanted.some(({ question }) => question.wantsZone);
    const read = await this.#readFields(contacts, { fields: [...fields], wantsPlaces: wantsZone });
    const fieldsOf = Map.groupBy(read.keys(), (name) => name.slice(0, name.indexOf(" ")));
    return asked.map(({ contact, question }) => {
      if (question.kind !== "ask") return {};
      const valueAt = (field: string) => read.get(`${contact} ${field}`)?.findLast(({ atMs }) => atMs <= question.at);
      // As runs find it: the attribute that the account names, else the first place that says one.
      const places = (fieldsOf.get(String(contact)) ?? []).map((name) => name.slice(name.indexOf(" ") + 1));
      const said = [
        timezoneAttribute === undefined ? undefined : zoneOf(valueAt(PREFIX + timezoneAttribute)),
        ...places.map((field) => zoneOfPlace(valueAt(field))),
      ];
      const zone = said.find((one) => one !== undefined);
      const value = question.field === undefined ? undefined : valueAt(question.field)?.text;
      return { ...(question.wantsZone && { zone }), value };
    });
  }

  /** @param wanted with `wantsPlaces` attributes that are places with a zone are read too, in the order in which contacts got them. */
  async #readFields(
    contacts: readonly number[],
    { fields, wantsPlaces }: { readonly fields: readonly string[]; readonly wantsPlaces: boolean },
  ): Promise<Map<string, FieldValue[]>> {
    if (fields.length === 0 && !wantsPlaces) return new Map();
    const { account, basis } = this.#stretch;
    const isRecorded = basis === "recorded";
    const [table, at] = isRecorded
      ? ["contact_fields_history", "toUnixTimestamp64Milli(at)"]
      : ["contact_fields_current", "toInt64(0)"];
    const places = `SELECT DISTINCT field FROM ${table} WHERE account = {account: UInt32} AND contact IN {contacts: Array(UInt64)}
      AND kind = 'object' AND startsWith(field, '${PREFIX}') AND JSONHas(text, 'tz')`;
    const sql = `SELECT contact, field, toString(kind) AS kind, text, ${at} AS atMs FROM ${table} FINAL
      WHERE account = {account: UInt32} AND contact IN {contacts: Array(UInt64)} AND (field IN {fields: Array(String)}${wantsPlaces ? ` OR field IN (${places})` : ""})
      ORDER BY contact, version, field`;
    const { clickHouse, signal } = this.#ports;
    const rows = await clickHouse.query<FieldValue & { readonly contact: number; readonly field: string }>(
      sql,
      { account, fields, contacts },
      { signal },
    );
    return Map.groupBy(rows, ({ contact, field }) => `${contact} ${field}`);
  }
}

interface FieldValue {
  readonly kind: string;
  readonly text: string;
  /** Milliseconds since 1970 from which on it holds. */
  readonly atMs: number;
}

/** Begins the names of questions about who may get a template's messages. */
const TEMPLATE = "template ";

function namesOf(question: Question): readonly string[] {
  switch (question.kind) {
    case "ask":
      return question.criteria;
    case "eligible":
      return [TEMPLATE + question.template];
    case "next":
      return [];
  }
}

function zoneOfPlace(value: FieldValue | undefined): string | undefined {
  return value?.kind === "object" ? zoneOf(value) : undefined;
}

function zoneOf(value: FieldValue | undefined): string | undefined {
  if (value === undefined || value.kind === "removed") return undefined;
  const name: unknown = value.kind === "object" ? Reflect.get(Object(JSON.parse(value.text)), "tz") : value.text;
  return typeof name === "string" ? canonicalTimezone(name) : undefined;
}
