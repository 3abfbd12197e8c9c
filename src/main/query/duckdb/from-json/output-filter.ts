import {
  columnExpression,
  columnNameOf,
  type Expression,
  type TypedExpression,
} from '../../../../plan/expression.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { bindFilters, type Meaning } from '../../bind/filters/bind-filter.ts'
import { outputName, type ResolveTerm, type Term } from '../../bind/terms.ts'
import { type Filter, hasPattern } from '../../request/filters/filter.ts'
import { namesIn, visitNames } from '../../request/filters/mentioned.ts'
import type { SelectEntry } from '../../request/select.ts'
import { writeConstant } from './write.ts'
import { writeCondition } from './write-condition.ts'

/** Filters, all of which a row must pass, by the engine that evaluates them. */
export interface SplitFilters {
  /** Filters on source columns and literals alone. The core evaluates them, apart from their patterns. */
  readonly byCore: readonly Filter[]
  /** Filters with results of functions or with patterns, which DuckDB evaluates. */
  readonly byDuckdb: readonly Filter[]
}

/**
 * Splits filters by what they compare. A filter names the result of a function by its output name in `select`. One with a pattern on
 * columns is in both lists: the core drops rows that cannot match it.
 */
export function splitFilters(filters: readonly Filter[], select: readonly SelectEntry[]): SplitFilters {
  const computed = new Set(select.flatMap((entry) => (entry.kind === 'function' ? [outputName(entry)] : [])))
  const conjuncts = filters.flatMap(conjunctsOf)
  const isOnOutputs = (filter: Filter): boolean => namesIn([filter]).some((name) => computed.has(name))
  return {
    byCore: conjuncts.filter((filter) => !isOnOutputs(filter)),
    byDuckdb: conjuncts.filter((filter) => isOnOutputs(filter) || hasPattern(filter)),
  }
}

function conjunctsOf(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.args.flatMap(conjunctsOf) : [filter]
}

/** A condition of a statement, and the terms that it compares. */
export interface OutputCondition {
  /** Null: every row passes. */
  readonly condition: string | null
  readonly terms: readonly Term[]
}

/**
 * Binds filters with results of functions or with patterns to a condition in SQL. Their values are converted to the types that
 * results and columns have in DuckDB, which `schemaOf` asks it for. `constants` are the meanings of literals by name, and `write`
 * writes an expression in SQL. Throws what `resolve` and `schemaOf` throw, `type_mismatch` with the JSON path, and `not_supported`
 * for a geometry.
 */
export async function bindOutputFilters(
  filters: readonly Filter[],
  resolve: ResolveTerm,
  constants: ReadonlyMap<string, Meaning>,
  write: (expression: Expression) => string,
  schemaOf: (terms: readonly Term[]) => Promise<Schema>,
): Promise<OutputCondition> {
  if (filters.length === 0) return { condition: null, terms: [] }
  const terms = new Map<string, Term>()
  visitNames(filters, (name, path) => terms.set(name, resolve(name, path)))
  const { fields } = await schemaOf([...terms.values()])
  const types = new Map([...terms.keys()].map((name, index) => [name, fields[index]?.type]))
  const condition = bindFilters(
    filters,
    (name) =>
      constants.get(name) ?? { name, operand: columnExpression(name, types.get(name) ?? { kind: 'null' }) },
  )
  const sqlOf = (operand: TypedExpression): string => {
    if (operand.kind === 'constant') return writeConstant(operand)
    const term = terms.get(columnNameOf(operand) ?? '')
    return term === undefined ? 'NULL' : write(term.expression)
  }
  return { condition: writeCondition(condition, sqlOf), terms: [...terms.values()] }
}
