import ts from "typescript";

/** Arguments of the functions around an expression. */
export type Scope = ReadonlyMap<ts.ParameterDeclaration, Bound>;

interface Bound {
  readonly node: ts.Expression;
  readonly scope: Scope;
}

/** Parts of a text that are known only when the code runs. */
export const UNKNOWN = "\u0000";
export const UNKNOWN_NUMBER = "\u0001";
/** Limits of a text's variants, and of how far names and calls are followed. */
const VARIANTS_MAX = 200;
const DEPTH_MAX = 40;

/**
 * Reads the texts of statements from the syntax tree, without running it: constants, templates, choices, and calls of functions that put
 * a text together. A choice gives a variant for each outcome.
 */
export class StatementTexts {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  /** Returns the variants of a statement's text. */
  statement(node: ts.Expression, scope: Scope): string[] {
    const found = this.#follow({ node, scope }, 0).flatMap((statement) => this.#member(statement, "text", 0));
    return unique(
      found.flatMap((text) => (ts.isObjectLiteralExpression(text.node) ? [UNKNOWN] : this.#texts(text, 0))),
    );
  }

  /** Returns the elements of an array that is written in one way; undefined for others. */
  elements(node: ts.Expression, scope: Scope): ts.Expression[] | undefined {
    const [array, ...others] = this.#follow({ node, scope }, 0);
    if (array === undefined || others.length > 0 || !ts.isArrayLiteralExpression(array.node)) return undefined;
    const parts = array.node.elements.map((element) =>
      ts.isSpreadElement(element) ? this.elements(element.expression, array.scope) : [element],
    );
    // An empty one is filled as the code runs.
    return parts.length === 0 || parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }

  /** Returns the scope of a function's body for a call of it. */
  scopeOf(declaration: ts.SignatureDeclaration, call: ts.CallExpression, scope: Scope): Scope {
    return this.#bind(
      declaration,
      scope,
      call.arguments.map((node) => ({ node, scope })),
    );
  }

  /** Returns the symbol behind a name, imported or not. */
  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
      ? this.#checker.getAliasedSymbol(symbol)
      : symbol;
  }

  /** Follows names, members, choices and calls to the expressions that a value is written as. */
  #follow({ node, scope }: Bound, depth: number): Bound[] {
    const at = (inner: ts.Expression) => this.#follow({ node: inner, scope }, depth + 1);
    if (depth > DEPTH_MAX) return [{ node, scope }];
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return at(node.expression);
    if (ts.isConditionalExpression(node)) return [...at(node.whenTrue), ...at(node.whenFalse)];
    if (isChoice(node)) return [...at(node.left), ...at(node.right)];
    if (ts.isIdentifier(node)) return this.#followSymbol(this.symbolOf(node), { node, scope }, depth);
    if (ts.isPropertyAccessExpression(node))
      return this.#access({ node, scope }, node.expression, [node.name.text], depth);
    if (ts.isElementAccessExpression(node)) {
      const keys = this.#texts({ node: node.argumentExpression, scope }, depth + 1);
      return this.#access({ node, scope }, node.expression, keys, depth);
    }
    if (ts.isCallExpression(node)) {
      const found = this.#functions({ node: node.expression, scope }, depth).flatMap((called) => {
        const inner = this.#bind(
          called.node,
          called.scope,
          node.arguments.map((argument) => ({ node: argument, scope })),
        );
        return returnsOf(called.node).flatMap((result) => this.#follow({ node: result, scope: inner }, depth + 1));
      });
      if (found.length > 0) return found;
    }
    return [{ node, scope }];
  }

  #access(from: Bound, object: ts.Expression, keys: readonly string[], depth: number): Bound[] {
    const objects = this.#follow({ node: object, scope: from.scope }, depth + 1);
    return objects.flatMap((owner) => keys.flatMap((key) => this.#member(owner, key, depth, from)));
  }

  /** Returns what a member of an object is written as; of all its members where the name is unknown. */
  #member({ node, scope }: Bound, name: string, depth: number, otherwise: Bound = { node, scope }): Bound[] {
    if (!ts.isObjectLiteralExpression(node)) return [otherwise];
    const found = node.properties.toReversed().flatMap((property) => {
      if (ts.isSpreadAssignment(property)) {
        const objects = this.#follow({ node: property.expression, scope }, depth + 1);
        return objects
          .flatMap((object) => this.#member(object, name, depth + 1, otherwise))
          .filter((one) => one !== otherwise);
      }
      if (name !== UNKNOWN && property.name?.getText().replaceAll('"', "") !== name) return [];
      if (ts.isPropertyAssignment(property)) return this.#follow({ node: property.initializer, scope }, depth + 1);
      if (!ts.isShorthandPropertyAssignment(property)) return [];
      const symbol = this.#checker.getShorthandAssignmentValueSymbol(property);
      return this.#followSymbol(symbol, { node: property.name, scope }, depth + 1);
    });
    return found.length === 0 ? [otherwise] : found;
  }

  #followSymbol(symbol: ts.Symbol | undefined, from: Bound, depth: number): Bound[] {
    const sources = symbol === undefined ? [] : this.#sources(symbol.valueDeclaration, from.scope, depth);
    return sources.length === 0 ? [from] : sources.flatMap((source) => this.#follow(source, depth + 1));
  }

  /** Returns where a constant or a parameter has its value from. */
  #sources(declaration: ts.Node | undefined, scope: Scope, depth: number): Bound[] {
    if (declaration === undefined) return [];
    if (ts.isParameter(declaration)) return [scope.get(declaration) ?? []].flat();
    if (ts.isVariableDeclaration(declaration)) {
      if (ts.isForOfStatement(declaration.parent.parent))
        return this.#arrays({ node: declaration.parent.parent.expression, scope }, depth + 1).flat();
      const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
      return isConst && declaration.initializer !== undefined ? [{ node: declaration.initializer, scope }] : [];
    }
    if (!ts.isBindingElement(declaration)) return [];
    const { parent: pattern, initializer } = declaration;
    const wholes = this.#sources(pattern.parent, scope, depth).flatMap((whole) => this.#follow(whole, depth + 1));
    if (ts.isArrayBindingPattern(pattern)) {
      const index = pattern.elements.indexOf(declaration);
      return wholes.flatMap((whole) => this.#arrays(whole, depth + 1).flatMap((elements) => elements[index] ?? []));
    }
    const name = (declaration.propertyName ?? declaration.name).getText();
    return wholes.flatMap((whole) => {
      const found = this.#member(whole, name, depth + 1);
      const isAbsent = ts.isObjectLiteralExpression(whole.node) && found.some(({ node }) => node === whole.node);
      return isAbsent && initializer !== undefined
        ? [{ node: initializer, scope }]
        : found.filter(({ node }) => node !== whole.node);
    });
  }

  #functions({ node, scope }: Bound, depth: number): { node: ts.FunctionLikeDeclaration; scope: Scope }[] {
    const declaration = this.symbolOf(node)?.valueDeclaration;
    if (declaration !== undefined && ts.isFunctionDeclaration(declaration)) return [{ node: declaration, scope }];
    return this.#follow({ node, scope }, depth + 1).flatMap((found) =>
      ts.isArrowFunction(found.node) || ts.isFunctionExpression(found.node)
        ? [{ node: found.node, scope: found.scope }]
        : [],
    );
  }

  #bind({ parameters }: ts.SignatureDeclaration, outer: Scope, args: readonly Bound[]): Scope {
    const scope = new Map(outer);
    for (const [index, parameter] of parameters.entries()) {
      const argument = args[index] ?? (parameter.initializer && { node: parameter.initializer, scope: outer });
      if (argument === undefined) scope.delete(parameter);
      else scope.set(parameter, argument);
    }
    return scope;
  }

  #texts(bound: Bound, depth: number): string[] {
    if (depth > DEPTH_MAX) return [UNKNOWN];
    const conditions = this.#conditions(bound, depth);
    if (conditions !== undefined) return [conditions];
    return unique(this.#follow(bound, depth).flatMap((found) => this.#textsOf(found, depth + 1)));
  }

  #textsOf({ node, scope }: Bound, depth: number): string[] {
    const at = (inner: ts.Expression) => this.#texts({ node: inner, scope }, depth);
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(({ expression, literal }) => joined(at(expression), [literal.text]));
      return spans.reduce(joined, [node.head.text]);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      if (!this.#isNumber(node)) return joined(at(node.left), at(node.right));
      const sums = at(node.left).flatMap((left) => at(node.right).map((right) => Number(left) + Number(right)));
      return sums.map((sum) => (Number.isNaN(sum) ? UNKNOWN_NUMBER : String(sum)));
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression: object } = node.expression;
      const [first, second] = node.arguments.map(at);
      if (name.text === "join") {
        const arrays = this.#arrays({ node: object, scope }, depth);
        const texts = arrays.flatMap((elements) =>
          elements
            .map((element) => this.#texts(element, depth))
            .reduce((all, next) => joined(joined(all, first ?? [","]), next)),
        );
        if (texts.length > 0) return texts;
      }
      if (
        name.text === "replace" &&
        first?.length === 1 &&
        second?.length === 1 &&
        !`${first}${second}`.includes(UNKNOWN)
      )
        return at(object).map((text) => text.replace(String(first), String(second)));
    }
    const type = this.#checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    const literals = parts.flatMap((part) =>
      part.isStringLiteral() || part.isNumberLiteral() ? [String(part.value)] : [],
    );
    if (literals.length === parts.length) return literals;
    return [this.#isNumber(node) ? UNKNOWN_NUMBER : UNKNOWN];
  }

  #isNumber(node: ts.Expression): boolean {
    return (this.#checker.getTypeAtLocation(node).flags & ts.TypeFlags.NumberLike) !== 0;
  }

  /** Returns the elements of an array, for each way in which it is written; none for one that is filled as the code runs. */
  #arrays(bound: Bound, depth: number): Bound[][] {
    if (depth > DEPTH_MAX) return [];
    return this.#follow(bound, depth).flatMap(({ node, scope }) => {
      if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) {
        return node.elements.reduce<Bound[][]>(
          (arrays, element) => {
            const added = ts.isSpreadElement(element)
              ? this.#arrays({ node: element.expression, scope }, depth + 1)
              : [[{ node: element, scope }]];
            return arrays.flatMap((array) => added.map((elements) => [...array, ...elements])).slice(0, VARIANTS_MAX);
          },
          [[]],
        );
      }
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
      const [callback] = node.arguments;
      if (node.expression.name.text !== "map" || callback === undefined) return [];
      const [mapper] = this.#functions({ node: callback, scope }, depth + 1);
      const [result] = mapper === undefined ? [] : returnsOf(mapper.node);
      if (mapper === undefined || result === undefined) return [];
      const arrays = this.#arrays({ node: node.expression.expression, scope }, depth + 1);
      // One element stands for those of an array that is not known.
      return (arrays.length === 0 ? [[undefined]] : arrays).map((elements) =>
        elements.map((element) => ({
          node: result,
          scope: this.#bind(mapper.node, mapper.scope, element === undefined ? [] : [element]),
        })),
      );
    });
  }

  /** Returns all conditions of `where.text()` that the code adds anywhere, as if they held at once; undefined for other texts. */
  #conditions({ node, scope }: Bound, depth: number): string | undefined {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { name, expression: where } = node.expression;
    if (name.text !== "text" || this.#checker.getTypeAtLocation(where).symbol?.name !== "Conditions") return undefined;
    const added = this.#added({ node: where, scope }, depth + 1);
    return ["TRUE", ...unique(added).map((condition) => `(${condition})`)].join(" AND ");
  }

  /** Returns what is added to conditions where they are named, in the functions that they are handed to, and where they come from. */
  #added({ node, scope }: Bound, depth: number): string[] {
    if (depth > DEPTH_MAX) return [];
    if (ts.isCallExpression(node)) {
      return this.#functions({ node: node.expression, scope }, depth).flatMap((called) => {
        const inner = this.#bind(
          called.node,
          called.scope,
          node.arguments.map((argument) => ({ node: argument, scope })),
        );
        return returnsOf(called.node).flatMap((result) =>
          ts.isIdentifier(result) ? this.#added({ node: result, scope: inner }, depth + 1) : [],
        );
      });
    }
    const symbol = this.symbolOf(node);
    const declaration = symbol?.valueDeclaration;
    const body = ts.findAncestor(declaration, ts.isFunctionLike);
    if (symbol === undefined || declaration === undefined || body === undefined) return [];
    const found = this.#sources(declaration, scope, depth).flatMap((source) => this.#added(source, depth + 1));
    const visit = (inner: ts.Node): void => {
      if (ts.isCallExpression(inner)) {
        const index = inner.arguments.findIndex(
          (argument) => ts.isIdentifier(argument) && this.symbolOf(argument) === symbol,
        );
        const [condition] = inner.arguments;
        const { expression: callee } = inner;
        if (index !== -1) found.push(...this.#addedBy(inner, index, scope, depth));
        else if (ts.isPropertyAccessExpression(callee) && callee.name.text === "add" && condition !== undefined) {
          if (this.symbolOf(callee.expression) === symbol)
            found.push(...this.#texts({ node: condition, scope }, depth));
        }
      }
      ts.forEachChild(inner, visit);
    };
    visit(body);
    return found;
  }

  #addedBy(call: ts.CallExpression, index: number, scope: Scope, depth: number): string[] {
    return this.#functions({ node: call.expression, scope }, depth).flatMap((called) => {
      const name = called.node.parameters[index]?.name;
      if (name === undefined || !ts.isIdentifier(name)) return [];
      // Inside of it the conditions are those of the caller: only what is added there is new.
      const inner = new Map(this.scopeOf(called.node, call, scope));
      for (const parameter of called.node.parameters) if (parameter.name === name) inner.delete(parameter);
      return this.#added({ node: name, scope: inner }, depth + 1);
    });
  }
}

function isChoice(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

function returnsOf({ body }: ts.FunctionLikeDeclaration): ts.Expression[] {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function joined(heads: readonly string[], tails: readonly string[]): string[] {
  return heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, VARIANTS_MAX);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, VARIANTS_MAX);
}
