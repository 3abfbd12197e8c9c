import { NEGATION } from '../../../../plan/condition/bounds.ts'
import { negation } from '../../../../plan/condition/combine.ts'
import { type Comparison, compareScalars, holds } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { excludesNaN, mayMatch, mustMatch } from '../../../../plan/condition/prune.ts'
import { conjunctsOf, testOf } from '../../../../plan/condition/test.ts'
import { memoizeLast } from '../../../../plan/memoize.ts'
import { readWholeColumn, type WholeNumbers, type WholeOfFile } from '../../../../plan/source/whole.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { ColumnInFile, ColumnsInFile } from '../column-in-file.ts'
import { type KnownOfColumn, knownOfFile, SOME_ROWS } from './known-in-file.ts'

/**
 * What a filter says of the rows of files that have the same columns, by what is known of all values of these. It is made once for them,
 * and says what `mayMatch` and `mustMatch` do of each; comparisons of numbers make no objects.
 */
export interface FileTest {
  /** The conditions that a row has to pass. */
  readonly conditions: readonly Condition[]
  /** Whether some row may pass. */
  mayMatch(whole: WholeOfFile): boolean
  /** Whether all rows pass the condition with this index. */
  mustPass(index: number, whole: WholeOfFile): boolean
}

type FileCheck = (whole: WholeOfFile) => boolean

/** Queries test many files of the same columns by one filter. */
export const fileTest = memoizeLast((columns: ColumnsInFile, filter: Condition): FileTest => {
  const conditions = conjunctsOf(filter)
  const some = mayBe(true, filter, { columns, withoutNaN: NO_NAMES })
  const all = conditions.map((condition) => mustBe(true, condition, { columns, withoutNaN: NO_NAMES }))
  return { conditions, mayMatch: some, mustPass: (index, whole) => all[index]?.(whole) === true }
})

interface Context {
  readonly columns: ColumnsInFile
  /** The columns of which only rows without NaN count. */
  readonly withoutNaN: ReadonlySet<string>
}

/** In rows for which all of some conditions are true. */
function narrow({ columns, withoutNaN }: Context, args: readonly Condition[]): Context {
  return { columns, withoutNaN: new Set([...withoutNaN, ...excludesNaN(args)]) }
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** A check that is true unless no row makes the condition `truth`. */
function mayBe(truth: boolean, condition: Condition, context: Context): FileCheck {
  const test = testOf(condition)
  switch (test.op) {
    case 'not':
      return mayBe(!truth, test.arg, context)
    case 'and':
    case 'or': {
      const mustAllBe = truth === (test.op === 'and')
      const narrowed = mustAllBe && truth ? narrow(context, test.args) : context
      const checks = test.args.map((arg) => mayBe(truth, arg, narrowed))
      return (whole) => (mustAllBe ? areAll(checks, whole) : isAny(checks, whole))
    }
  }
  const comparison = comparisonOf(truth, condition, context)
  if (comparison !== null)
    return (whole) => {
      const numbers = comparison.read(whole)
      return numbers === null || (!isAllNull(numbers) && comparison.mayHold(numbers))
    }
  const asked: Condition = truth ? condition : negation(condition)
  return (whole) => mayMatch(asked, statisticsOf(whole, context), SOME_ROWS)
}

/** A check that is true only if all rows make the condition `truth`. */
function mustBe(truth: boolean, condition: Condition, context: Context): FileCheck {
  const test = testOf(condition)
  switch (test.op) {
    case 'not':
      return mustBe(!truth, test.arg, context)
    case 'and':
    case 'or': {
      const checks = test.args.map((arg) => mustBe(truth, arg, context))
      const mustAllBe = truth === (test.op === 'and')
      return (whole) => (mustAllBe ? areAll(checks, whole) : isAny(checks, whole))
    }
  }
  const comparison = comparisonOf(!truth, condition, context)
  // Without nulls, a comparison is either true or false.
  if (comparison !== null)
    return (whole) => {
      const numbers = comparison.read(whole)
      return numbers?.nulls === 0 && !comparison.mayHold(numbers)
    }
  const asked: Condition = truth ? condition : negation(condition)
  return (whole) => mustMatch(asked, statisticsOf(whole, context), SOME_ROWS)
}

/** Without a closure for each file, as `every` would need. */
function areAll(checks: readonly FileCheck[], whole: WholeOfFile): boolean {
  for (const check of checks) if (!check(whole)) return false
  return true
}

function isAny(checks: readonly FileCheck[], whole: WholeOfFile): boolean {
  for (const check of checks) if (check(whole)) return true
  return false
}

function isAllNull({ nulls, values }: WholeNumbers): boolean {
  return nulls !== 0 && nulls === values
}

function statisticsOf(whole: WholeOfFile, { columns, withoutNaN }: Context): KnownOfColumn {
  const ofColumn = knownOfFile({ whole }, columns)
  if (withoutNaN.size === 0) return ofColumn
  return (name) => {
    const statistics = ofColumn(name)
    return statistics !== null && withoutNaN.has(name) ? { ...statistics, noNaN: true } : statistics
  }
}

/** A comparison of a column of numbers with constants. */
interface NumberComparison {
  /** What is known of the column. Null: nothing. What it returns is overwritten by the next call. */
  read(whole: WholeOfFile): WholeNumbers | null
  /** Whether it may be `truth` for values that are not null. */
  mayHold(numbers: WholeNumbers): boolean
}

/** Null: it is none, or its constants are not in the order of JavaScript's numbers. */
function comparisonOf(truth: boolean, condition: Condition, context: Context): NumberComparison | null {
  const test = testOf(condition)
  if (test.op !== 'compare' && test.op !== 'between') return null
  if (test.operand.kind !== 'column') return null
  const column = context.columns.get(test.operand.column)
  if (column === undefined || column.index === null || column.boundKind === null) return null
  const values = test.op === 'compare' ? [test.value] : [test.low, test.high]
  const numbers = values.flatMap((value) => numberOf(value, column) ?? [])
  if (numbers.length < values.length) return null
  const [first = 0, last = first] = numbers
  const isNaNCounted = column.boundKind === 'float' && !context.withoutNaN.has(column.name)
  const read = reader(column.index, column.boundKind === 'float')
  if (test.op === 'compare') {
    const comparison = truth ? test.comparison : NEGATION[test.comparison]
    const isNaNPassing = isNaNCounted && holds(comparison, compareScalars(NAN, test.value))
    return {
      read,
      mayHold: (bounds) => (isNaNPassing && mayBeNaN(bounds)) || mayCompare(comparison, bounds, first),
    }
  }
  if (truth) return { read, mayHold: ({ isBounded, min, max }) => !isBounded || !(max < first || min > last) }
  return {
    read,
    mayHold: (bounds) =>
      (isNaNCounted && mayBeNaN(bounds)) || mayCompare('lt', bounds, first) || mayCompare('gt', bounds, last),
  }
}

const NAN: Scalar = Object.freeze({ kind: 'float', value: Number.NaN })

/** NaN would be beyond an exact maximum. */
function mayBeNaN({ isBounded, isMaxExact }: WholeNumbers): boolean {
  return !(isBounded && isMaxExact)
}

function numberOf(value: Scalar, { boundKind }: ColumnInFile): number | bigint | null {
  if (value.kind !== boundKind) return null
  return value.kind === 'float' && Number.isNaN(value.value) ? null : value.value
}

/** Whether some value in the bounds may be in this relation to a constant. */
function mayCompare(
  comparison: Comparison,
  { isBounded, min, max }: WholeNumbers,
  value: number | bigint,
): boolean {
  if (!isBounded) return true
  switch (comparison) {
    case 'eq':
      return value >= min && value <= max
    case 'neq':
      return !(min >= value && min <= value && max >= value && max <= value)
    case 'gt':
      return max > value
    case 'gt_eq':
      return max >= value
    case 'lt':
      return min < value
    case 'lt_eq':
      return min <= value
  }
}

/** Reads the numbers of a field. Files of one schema mostly have the same fields, so it begins to look where the last one had it. */
function reader(field: number, isFloat: boolean): NumberComparison['read'] {
  const numbers: WholeNumbers = {
    entry: 0,
    values: 0,
    nulls: 0,
    isBounded: false,
    isMaxExact: false,
    min: 0,
    max: 0,
  }
  return (whole) => (readWholeColumn(whole, field, isFloat, numbers) ? numbers : null)
}
