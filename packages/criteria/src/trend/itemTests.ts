import type { Scope } from "../compile/scope.ts";
import { jsonValue } from "../compile/values.ts";
import type { Property } from "../criteria.ts";
import { conditionTests, isMoving } from "./conditionTests.ts";
import type { Points } from "./points.ts";
import { ALWAYS, type RowPoints, type RowTests, rowCodes, together } from "./rowCodes.ts";
import { steps } from "./steps.ts";

/** Tests that one item of the row's document has all properties. */
export function itemTests(items: readonly Property[], scope: Scope, points: Points): RowTests {
  if (items.length === 0) return ALWAYS;
  const all = "JSONExtractArrayRaw(document, 'items')";
  if (!items.some(({ condition }) => isMoving(condition.test))) {
    const { where } = testsOf(items, scope, points);
    return { ...ALWAYS, where: [`arrayExists(item -> ${where.join(" AND ")}, ${all})`] };
  }
  const codes = itemCodes(items, ALWAYS.points, scope, points);
  return { where: [], points: { ...ALWAYS.points, also: [steps(`arrayFlatten(arrayMap(item -> ${codes}, ${all}))`)] } };
}

/** Compiles the codes of one `item` at those of the row's points at which it has all properties. */
export function itemCodes(items: readonly Property[], row: RowPoints, scope: Scope, points: Points): string {
  const tests = together({ where: [], points: row }, testsOf(items, scope, points));
  return `if(${["1", ...tests.where].join(" AND ")}, ${rowCodes(tests.points, points)}, emptyArrayInt32())`;
}

function testsOf(items: readonly Property[], scope: Scope, points: Points): RowTests {
  return together(
    ...items.map(({ segments, condition }) =>
      conditionTests(jsonValue("item", segments, scope.bind), condition, scope, points),
    ),
  );
}
