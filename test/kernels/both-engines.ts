import assert from 'node:assert/strict'
import type { Table } from 'apache-arrow'
import { ServiceError } from '../../src/plan/errors.ts'
import { columnsOfExpressions, type TypedExpression, visitExpression } from '../../src/plan/expression.ts'
import { mayFail } from '../../src/plan/kernels/kernels.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { columnOf } from '../core/columns.ts'
import { columnValues, type Value } from '../formats/values.ts'
import { testEngine } from '../sql/engine.ts'
import { sqlExpression, sqlRows } from './in-sql.ts'
import type { TestColumn } from './rows.ts'
import { plainValue } from './values.ts'

const core = createCore({ maximumBytes: 256 << 20 })
const first = await testEngine()
let { run } = first
/** Take the place of an engine that an internal error of DuckDB has ended. */
const spares = [
  await testEngine({ module: first.engine.module }),
  await testEngine({ module: first.engine.module }),
]

type Outcome = { readonly values: readonly Value[] } | { readonly message: string }

function inCore(expression: TypedExpression, columns: readonly TestColumn[], rows: number): Outcome {
  const handles = new Map(
    columnsOfExpressions([expression]).map((name) => {
      const column = columns.find((each) => each.name === name)
      assert(column)
      return [name, { column: columnOf(core, column.type, column.values), type: column.type }] as const
    }),
  )
  try {
    const column = (name: string) => {
      const entry = handles.get(name)
      assert(entry)
      return entry
    }
    const [result] = core.evaluate([expression], { rows, mask: null, column, checkCancelled() {} })
    assert(result)
    const values = Array.from({ length: rows }, (_, row) =>
      plainValue(core.valueAt(result, expression.type, row), expression.type),
    )
    core.free(result)
    return { values }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_sql') return { message: error.message }
    throw error
  } finally {
    for (const { column } of handles.values()) core.free(column)
  }
}

/** Null: DuckDB fails by itself ("INTERNAL Error"), as for `'2'::UBIGINT * x`, of which it takes the least value to be a signed number. */
function inDuckDb(expression: TypedExpression, from: string): Outcome | null {
  try {
    const table: Table = run(`SELECT ${sqlExpression(expression)} AS x FROM ${from}`)
    return { values: columnValues(table)[0] ?? [] }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'internal') {
      const spare = spares.pop()
      assert(spare, error.message)
      run = spare.run
      return null
    }
    if (error instanceof ServiceError)
      return { message: error.message.replace(/ when casting from source column \w+/, '') }
    throw error
  }
}

/** An expression without what DuckDB computes for rows that are not asked for: AND and OR whose conditions may fail. */
export function failsAlike(expression: TypedExpression): boolean {
  const canFail = (each: TypedExpression): boolean =>
    visitExpression<boolean>(each, {
      column: () => false,
      group: () => false,
      constant: () => false,
      call: ({ name, args, type }, visit) =>
        args.some(visit) ||
        mayFail(
          name,
          args.map((arg) => arg.type as DataType),
          type as DataType,
        ),
    })
  return visitExpression<boolean>(expression, {
    column: () => true,
    group: () => true,
    constant: () => true,
    call: ({ name, args }, visit) =>
      args.every(visit) &&
      !(['and', 'or'].includes(name) && args.some((arg) => canFail(arg as TypedExpression))),
  })
}

function hasConstant(expression: TypedExpression): boolean {
  return visitExpression<boolean>(expression, {
    column: () => false,
    group: () => false,
    constant: () => true,
    call: ({ args }, visit) => args.some(visit),
  })
}

/**
 * Whether DuckDB alone may fail. Where an argument of `coalesce` is null in all rows, it computes the others for rows that have a value already.
 * And it truncates a date below days as a TIMESTAMP, which does not have all dates.
 */
function mayFailInDuckDbAlone(expression: TypedExpression): boolean {
  return visitExpression<boolean>(expression, {
    column: () => false,
    group: () => false,
    constant: () => false,
    call: ({ name, args, type }, visit) =>
      name === 'coalesce' || (name === 'date_trunc' && type?.kind === 'date') || args.some(visit),
  })
}

/**
 * Compares what both engines make of rows, and if either of them fails, of each row. Returns what happened. Throws for a difference.
 */
export function compareEngines(
  expression: TypedExpression,
  columns: readonly TestColumn[],
  rows: number,
): 'values' | 'failures' {
  const names = columnsOfExpressions([expression])
  const used = columns.filter(({ name }) => names.includes(name))
  const text = sqlExpression(expression)
  const mine = inCore(expression, used, rows)
  const theirs = inDuckDb(expression, sqlRows(used, 0, rows))
  if (theirs === null) return 'failures'
  if ('values' in mine && 'values' in theirs) {
    assert.deepEqual(mine, theirs, text)
    return 'values'
  }
  for (let row = 0; row < rows; row++) {
    const one = used.map((column) => ({ ...column, values: column.values.slice(row, row + 1) }))
    const [my, their] = [inCore(expression, one, 1), inDuckDb(expression, sqlRows(one, 0, 1))]
    if (their === null) continue
    // DuckDB leaves out what a constant makes needless, as in x + NULL.
    if ('message' in my && 'values' in their && hasConstant(expression)) continue
    if ('values' in my && 'message' in their && mayFailInDuckDbAlone(expression)) continue
    assert.equal('values' in my, 'values' in their, `${text}: ${print([my, their])}`)
    if ('values' in my) assert.deepEqual(my, their, text)
    else if (isSingleCall(expression)) assert.deepEqual(my, their, text)
  }
  return 'failures'
}

/** Whether it is clear which call fails. */
function isSingleCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && expression.args.every(({ kind }) => kind !== 'call')
}

function print(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))
}
