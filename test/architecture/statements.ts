import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./repository.ts";
import { type Scope, StatementTexts, UNKNOWN } from "./statementTexts.ts";

/** A statement that the code sends to Postgres, with what it expects of the answer. */
export interface FoundStatement {
  /** Path and line of the call, and of the call of the function around it, when that one brings the text. */
  readonly at: string;
  /** Variants of its text, with marks for what is known only when it runs. */
  readonly texts: readonly string[];
  /** Types of its parameters' values, where their number is known. */
  readonly values: readonly DeclaredType[] | undefined;
  /** Declared members of a row; undefined where no rows are read. */
  readonly row: DeclaredRow | undefined;
}

export interface DeclaredRow {
  readonly members: ReadonlyMap<string, DeclaredType>;
  /** Type of all other columns, where the row is a record. */
  readonly others: DeclaredType | undefined;
}

export interface DeclaredType {
  /** `string`, `number`, `boolean`, `Date`, `Buffer`, `object`, `unknown`, `any`, or one of them with `[]`; `null` is left out. */
  readonly kinds: readonly string[];
  readonly mayBeNull: boolean;
  /** The texts that it may be, where it is a union of them. */
  readonly literals: readonly string[] | undefined;
}

const SESSION = "packages/postgres/src/connection/session.ts";
const METHODS = new Set(["query", "execute", "atCommit"]);
/** Callers are asked for a text that a function is given, and their callers; a statement has no longer way. */
const CALLERS_DEPTH_MAX = 3;
const NO_SCOPE: Scope = new Map();

/** Returns the program of the files, which are paths from the root. @param planted texts of files that do not exist. */
export function createProgram(paths: readonly string[], planted: ReadonlyMap<string, string> = new Map()): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options, true);
  const read = host.readFile;
  host.readFile = (path) => planted.get(path.slice(ROOT.length)) ?? read(path);
  host.fileExists = (path) => planted.has(path.slice(ROOT.length)) || ts.sys.fileExists(path);
  return ts.createProgram({ rootNames: paths.map((path) => join(ROOT, path)), options, host });
}

/** Finds the calls of `Session` in the files of a program, which are paths from the root. */
export class Statements {
  readonly #checker: ts.TypeChecker;
  readonly #texts: StatementTexts;
  readonly #files: readonly ts.SourceFile[];
  /** Calls by the name of the function. */
  readonly #calls: ReadonlyMap<string, readonly ts.CallExpression[]>;

  constructor(program: ts.Program, paths: readonly string[]) {
    this.#checker = program.getTypeChecker();
    this.#texts = new StatementTexts(this.#checker);
    this.#files = paths.flatMap((path) => program.getSourceFile(join(ROOT, path)) ?? []);
    this.#calls = Map.groupBy(this.#files.flatMap(callsIn), nameOf);
  }

  find(): FoundStatement[] {
    const calls = [...METHODS].flatMap((method) => this.#calls.get(method) ?? []);
    return calls.filter((call) => this.#isOfSession(call)).flatMap((call) => this.#found(call));
  }

  /** Returns the rows that each table created by `createResourceTable` reads, by its file and name. */
  resourceTables(): { readonly path: string; readonly name: string; readonly row: DeclaredRow | undefined }[] {
    return (this.#calls.get("createResourceTable") ?? []).map(({ parent }) => {
      if (!ts.isVariableDeclaration(parent)) throw new Error("A resource table is a constant.");
      const read = this.#checker.getTypeAtLocation(parent).getProperty("read");
      const [signature] = read === undefined ? [] : this.#checker.getTypeOfSymbol(read).getCallSignatures();
      const type = signature && this.#checker.getAwaitedType(signature.getReturnType());
      const path = pathOf(parent);
      return { path, name: parent.name.getText(), row: type && this.#rowOf(this.#checker.getNonNullableType(type)) };
    });
  }

  #isOfSession(call: ts.CallExpression): boolean {
    const file = this.#checker.getResolvedSignature(call)?.declaration?.getSourceFile().fileName;
    return file === join(ROOT, SESSION) && call.arguments.length > 0;
  }

  /** Reads a call by itself, and through its callers where the text is theirs. */
  #found(call: ts.CallExpression): FoundStatement[] {
    const row = nameOf(call) === "query" ? this.#rowTypeOf(call) : undefined;
    let found = [this.#read(call, { scope: NO_SCOPE, via: [], row })];
    for (let depth = 1; depth <= CALLERS_DEPTH_MAX && found.some(hasUnknown); depth += 1) {
      const through = this.#callers(call, row, depth).map((caller) => this.#read(call, caller));
      if (through.length === 0 || through.filter(hasUnknown).length >= through.length) continue;
      found = through;
    }
    return found;
  }

  #read(call: ts.CallExpression, { scope, via, row }: Caller): FoundStatement {
    const [statement, array] = call.arguments;
    const values = array === undefined ? [] : this.#texts.elements(array, scope);
    return {
      at: [locationOf(call), ...via].join(" for "),
      texts: statement === undefined ? [UNKNOWN] : this.#texts.statement(statement, scope),
      values: values?.map((value) => this.#typeOf(this.#checker.getTypeAtLocation(value))),
      row: row && this.#rowOf(row),
    };
  }

  /** Returns the ways by which a call is reached through functions that are called by name. */
  #callers(node: ts.Node, row: ts.Type | undefined, depth: number): Caller[] {
    const declaration = ts.findAncestor(node.parent, ts.isFunctionDeclaration);
    if (depth === 0 || declaration?.name === undefined) return [{ scope: NO_SCOPE, via: [], row }];
    const symbol = this.#texts.symbolOf(declaration.name);
    const calls = (this.#calls.get(declaration.name.text) ?? []).filter(
      ({ expression }) => this.#texts.symbolOf(expression) === symbol,
    );
    return calls.flatMap((call) => {
      const known = row && this.#instantiated(row, declaration, call);
      return this.#callers(call, known, depth - 1).map((outer) => ({
        ...outer,
        scope: this.#texts.scopeOf(declaration, call, outer.scope),
        via: [locationOf(call), ...outer.via],
      }));
    });
  }

  /** Returns the type that a call gives to a type parameter of its function. */
  #instantiated(
    row: ts.Type,
    { typeParameters = ts.factory.createNodeArray() }: ts.FunctionDeclaration,
    call: ts.CallExpression,
  ): ts.Type {
    const index = typeParameters.findIndex(({ name }) => this.#texts.symbolOf(name) === row.symbol);
    const signature = this.#checker.getResolvedSignature(call);
    if (index === -1 || !row.isTypeParameter() || signature === undefined) return row;
    return this.#checker.getTypeArgumentsForResolvedSignature(signature)?.[index] ?? row;
  }

  #rowTypeOf(call: ts.CallExpression): ts.Type | undefined {
    const rows = this.#checker.getAwaitedType(this.#checker.getTypeAtLocation(call));
    return rows && this.#checker.getIndexTypeOfType(rows, ts.IndexKind.Number);
  }

  #rowOf(row: ts.Type): DeclaredRow {
    const constraint = row.isTypeParameter() ? (this.#checker.getBaseConstraintOfType(row) ?? row) : row;
    const members = this.#checker.getPropertiesOfType(constraint).map((member) => {
      const type = this.#typeOf(this.#checker.getTypeOfSymbol(member));
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      return [
        member.name,
        isOptional ? { ...type, kinds: type.kinds.filter((kind) => kind !== "undefined") } : type,
      ] as const;
    });
    const others = this.#checker.getIndexTypeOfType(constraint, ts.IndexKind.String);
    return { members: new Map(members), others: others && this.#typeOf(others) };
  }

  #typeOf(type: ts.Type): DeclaredType {
    const parts = type.isUnion() ? type.types : [type];
    const kinds = parts.map((part) => this.#kindOf(part));
    const literals = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    const texts = kinds.filter((kind) => kind === "string");
    return {
      literals: literals.length > 0 && literals.length === texts.length ? literals : undefined,
      kinds: [...new Set(kinds)].filter((kind) => kind !== "null"),
      mayBeNull: kinds.some((kind) => kind === "null" || kind === "unknown"),
    };
  }

  #kindOf(type: ts.Type): string {
    for (const [flag, kind] of KINDS) if ((type.flags & flag) !== 0) return kind;
    if (this.#checker.isArrayType(type)) {
      const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
      return `${element === undefined ? "unknown" : this.#typeOf(element).kinds.join("|")}[]`;
    }
    const name = type.symbol?.name ?? "";
    return name === "Date" || name === "Buffer" ? name : "object";
  }
}

interface Caller {
  readonly scope: Scope;
  readonly via: readonly string[];
  readonly row: ts.Type | undefined;
}

const KINDS = [
  [ts.TypeFlags.Null, "null"],
  [ts.TypeFlags.Undefined, "undefined"],
  [ts.TypeFlags.Any, "any"],
  [ts.TypeFlags.Unknown, "unknown"],
  [ts.TypeFlags.StringLike, "string"],
  [ts.TypeFlags.NumberLike, "number"],
  [ts.TypeFlags.BooleanLike, "boolean"],
] as const;

function hasUnknown({ texts }: FoundStatement): boolean {
  return texts.some((text) => text.includes(UNKNOWN));
}

function callsIn(file: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function nameOf({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : "";
}

function locationOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${pathOf(node)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function pathOf(node: ts.Node): string {
  return node.getSourceFile().fileName.slice(ROOT.length);
}
