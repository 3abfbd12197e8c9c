import { ServiceError } from '../../src/plan/errors.ts'
import { groupsOfExpression } from '../../src/plan/expression.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import type { Aggregate, Finish, FirstRows, Grouping } from '../../src/plan/task/finish.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { interpret, runPlan } from '../query/generated/interpret.ts'
import type { Cell, TestTable } from '../query/table.ts'

type Row = readonly Cell[]

/**
 * The answer of a plan with groups, an order or a count over a table in memory, as simply as possible: what
 * `plan/task/finish.ts` defines. Throws `type_mismatch` if a sum is too large on which the answer depends. As in DuckDB, others
 * are not computed, and for an answer that can have no rows nothing is.
 */
export function finishedRows(plan: ScanPlan, table: TestTable): readonly Row[] {
  const { finish, offset, limit } = plan
  if (limit === 0 && !finish.isCounted) return []
  const scanned = runPlan({ ...plan, offset: 0, limit: Number.POSITIVE_INFINITY }, table)
  const rows =
    finish.grouping === null
      ? firstRows(finish.firsts, scanned)
      : grouped(
          finish.grouping,
          scanned,
          plan.scan.projection.map(({ field }) => field.type),
          usedBy(finish, finish.grouping),
        )
  const wanted = rows.toSorted((a, b) => compareRows(finish.order, a, b)).slice(offset, offset + limit)
  if (finish.isCounted) return [[BigInt(wanted.length)]]
  return wanted.map((row) => finish.output.map((place) => row[place] ?? null))
}

/** The first rows of each group, in file order, with their numbers if these are asked for. */
function firstRows(firsts: FirstRows | undefined, rows: readonly Row[]): readonly Row[] {
  if (firsts === undefined) return rows
  const { keys, order, most, isNumbered } = firsts
  const inOrder = rows.toSorted((a, b) => compareRows(order, a, b))
  const isOfGroup = (a: Row, b: Row): boolean =>
    keys.every((place) => isSame(a[place] ?? null, b[place] ?? null))
  return rows.flatMap((row) => {
    const number = inOrder.filter((other) => isOfGroup(row, other)).indexOf(row) + 1
    if (number > most) return []
    return [isNumbered ? [...row, BigInt(number)] : row]
  })
}

/** The columns of the table of groups on which the answer depends. */
function usedBy({ output, order, isCounted }: Finish, { having }: Grouping): ReadonlySet<number> {
  return new Set([
    ...output,
    ...(isCounted ? [] : order.map(({ column }) => column)),
    ...(having === null ? [] : groupsOfExpression(having)),
  ])
}

function grouped(
  { keys, aggregates, having }: Grouping,
  rows: readonly Row[],
  types: readonly DataType[],
  used: ReadonlySet<number>,
): readonly Row[] {
  const groups: { readonly key: Row; readonly rows: Row[] }[] =
    keys.length === 0 ? [{ key: [], rows: [] }] : []
  for (const row of rows) {
    const key = keys.map((place) => row[place] ?? null)
    const found = groups.find((group) => group.key.every((cell, place) => isSame(cell, key[place] ?? null)))
    if (found) found.rows.push(row)
    else groups.push({ key, rows: [row] })
  }
  return groups
    .map(
      (group): Row => [
        ...group.key,
        ...aggregates.map((each, place) =>
          used.has(keys.length + place) ? aggregate(each, group.rows, types) : null,
        ),
      ],
    )
    .filter(
      (row) =>
        having === null ||
        interpret(having, (operand) => (operand.kind === 'group' ? row[operand.index] : null) ?? null) ===
          true,
    )
}

function aggregate(each: Aggregate, rows: readonly Row[], types: readonly DataType[]): Cell {
  if (each.kind === 'count_rows') return BigInt(rows.length)
  const type = types[each.argument] ?? { kind: 'null' }
  const cells = rows.map((row) => row[each.argument] ?? null)
  const values = cells.filter((cell) => cell !== null)
  switch (each.kind) {
    case 'count':
      return BigInt(values.length)
    case 'count_distinct':
      return BigInt(
        values.filter((value, at) => values.findIndex((other) => isSame(value, other)) === at).length,
      )
    case 'first':
      return cells[0] ?? null
    case 'min':
      return values.toSorted(compare)[0] ?? null
    case 'max':
      return values.toSorted(compare).at(-1) ?? null
    case 'arg_max':
    case 'arg_min': {
      const sign = each.kind === 'arg_max' ? -1 : 1
      const keyed = rows.flatMap((row) => {
        const [value, key] = [row[each.argument] ?? null, row[each.by] ?? null]
        return value === null || key === null ? [] : [{ value, key }]
      })
      return keyed.toSorted((a, b) => sign * compare(a.key, b.key))[0]?.value ?? null
    }
    case 'quantile_disc': {
      const { share, isDistinct } = each
      const sorted = values.toSorted(compare)
      const counted = isDistinct
        ? sorted.filter((value, at) => !isSame(value, sorted[at - 1] ?? null))
        : sorted
      // The least value at or below which the share of all values is.
      const place = counted.findIndex(
        (_, at) => (at + 1) * 10 ** share.scale >= counted.length * share.digits,
      )
      return counted[place] ?? null
    }
    case 'sum':
      return values.length === 0 ? null : sum(values.map(BigInt), type)
    default:
      throw new TypeError(`${each.kind} is not told here`)
  }
}

function sum(values: readonly bigint[], type: DataType): bigint {
  const total = values.reduce((sofar, value) => sofar + value, 0n)
  const [least, most] = sumRange(type)
  if (total < least || total > most) throw new ServiceError('type_mismatch', `${total}`)
  return total
}

function sumRange(type: DataType): readonly [least: bigint, most: bigint] {
  if (type.kind === 'decimal') return [1n - 10n ** 38n, 10n ** 38n - 1n]
  const isUnsigned = type.kind === 'int' && !type.signed
  return isUnsigned ? [0n, 2n ** 64n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n]
}

function compareRows(order: Finish['order'], a: Row, b: Row): number {
  for (const { column, isDescending, areNullsFirst } of order) {
    const [x, y] = [a[column] ?? null, b[column] ?? null]
    const nulls = Number(x === null) - Number(y === null)
    if (nulls !== 0) return areNullsFirst ? -nulls : nulls
    if (x === null || y === null) continue
    const sign = compare(x, y)
    if (sign !== 0) return isDescending ? -sign : sign
  }
  return 0
}

function isSame(a: Cell, b: Cell): boolean {
  return a === null || b === null ? a === b : compare(a, b) === 0
}

/** NaN is the greatest number and equal to itself, and −0 equals 0. */
function compare(a: Exclude<Cell, null>, b: Exclude<Cell, null>): number {
  if (typeof a === 'string' || typeof b === 'string')
    return Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`))
  const nans = Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  if (nans !== 0 || Number.isNaN(a)) return nans
  return a < b ? -1 : Number(a > b)
}
