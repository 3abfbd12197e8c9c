import {
  columnExpression,
  type Expression,
  type GroupExpression,
  isTyped,
  type TypedExpression,
  withColumns,
} from '../../plan/expression.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { EvaluatedRows } from '../../wasm/core/evaluate/evaluated-rows.ts'

/** What expressions are computed from: columns of a file's unit, or of a table of groups. */
export interface ComputedFrom {
  readonly rows: number
  /** The rows that are asked for: only these may fail. Null: all. */
  readonly mask: Mask | null
  /** The column of a file by its name, or that of a group. */
  column(column: string | GroupExpression): StoredColumn
  checkCancelled(): void
}

/** A column, and the type in which it is stored. */
interface StoredColumn {
  readonly column: Column
  readonly type: DataType
}

/** Calls `use` with the values of an expression, which are freed afterwards unless they are a column that is there already. */
export function withColumn<T>(
  core: Core,
  expression: TypedExpression,
  from: ComputedFrom,
  use: (column: Column) => T,
): T {
  if (expression.kind === 'column' || expression.kind === 'group')
    return use(from.column(expression.kind === 'column' ? expression.column : expression).column)
  const [column] = computedColumns(core, [expression], from)
  if (column === undefined) throw new TypeError('no column was computed')
  try {
    return use(column)
  } finally {
    core.free(column)
  }
}

/** The rows for which an expression of type BOOLEAN is true, false or unknown. */
export function computedMask(core: Core, expression: TypedExpression, from: ComputedFrom): Mask {
  const { expressions, rows } = overNames([expression], from)
  const [only = expression] = expressions
  return core.evaluateMask(only, rows)
}

/** Computes the values of constants and calls. If it throws, it has freed what it had computed. */
export function computedColumns(
  core: Core,
  computed: readonly TypedExpression[],
  from: ComputedFrom,
): readonly Column[] {
  if (computed.length === 0) return []
  const { expressions, rows } = overNames(computed, from)
  return core.evaluate(expressions, rows)
}

/** Expressions for the core, which knows columns by their names. Columns of groups get names. */
function overNames(
  computed: readonly TypedExpression[],
  from: ComputedFrom,
): { readonly expressions: readonly TypedExpression[]; readonly rows: EvaluatedRows } {
  const groups = new Map<string, GroupExpression>()
  const named = computed.map((expression) =>
    withColumns(expression, (column) => {
      if (column.kind === 'column') return column
      const name = `#${column.index}`
      groups.set(name, column)
      return columnExpression(name, column.type)
    }),
  )
  const { rows, mask, checkCancelled } = from
  return {
    // The core remembers the programs of expressions that it has been given before.
    expressions: groups.size === 0 ? computed : named,
    rows: {
      rows,
      mask,
      checkCancelled,
      column: (name) => from.column(groups.get(name) ?? name),
    },
  }
}

/** An expression of a plan, whose type is known as it is of all that the core computes. */
export function requireTyped(expression: Expression): TypedExpression {
  if (!isTyped(expression)) throw new TypeError('an expression that only DuckDB evaluates')
  return expression
}
