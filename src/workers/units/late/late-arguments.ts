import { columnsOf, columnsOfExpressions } from '../../../plan/expression.ts'
import type { ScanSpec } from '../../../plan/scan.ts'
import { type Aggregate, argumentsOf, type FirstRows, type Grouping } from '../../../plan/task/finish.ts'
import type { DataType } from '../../../plan/types/schema.ts'

/** Arguments of `arg_max` and `arg_min` whose values are read for the rows alone that have the extreme key of a group in their unit. */
export interface LateArguments {
  /** The columns, which nothing else in the plan reads. */
  readonly columns: readonly string[]
  /** Which rows of a unit have these keys: the first one of each group, in each of these orders. */
  readonly firsts: readonly FirstRows[]
}

/**
 * The arguments of a grouping that are read late. Null: none is. They are texts, whose values take long to decode: to find the rows, groups are
 * numbered once more, which takes longer than to decode numbers.
 */
export function lateArguments(grouping: Grouping, scan: ScanSpec): LateArguments | null {
  const { keys, aggregates } = grouping
  const nameAt = (index: number): string | null => {
    const expression = scan.projection[index]?.expression
    return expression?.kind === 'column' && isText(scan, expression.column) ? expression.column : null
  }
  const early = new Set(scan.filter === null ? [] : columnsOf(scan.filter))
  const others = aggregates.flatMap((each) => ('by' in each ? [each.by] : argumentsOf(each)))
  const computed = aggregates.flatMap((each) =>
    'by' in each && nameAt(each.argument) === null ? [each.argument] : [],
  )
  const read = [...keys, ...others, ...computed].flatMap((index) => scan.projection[index]?.expression ?? [])
  for (const name of columnsOfExpressions(read)) early.add(name)
  const late = aggregates.flatMap((each) => {
    const name = 'by' in each ? nameAt(each.argument) : null
    return 'by' in each && name !== null && !early.has(name) ? [{ name, each }] : []
  })
  if (late.length === 0) return null
  const orders = new Map(late.map(({ each }) => [`${each.kind} ${each.by}`, firstsOf(keys, each)]))
  return { columns: [...new Set(late.map(({ name }) => name))], firsts: [...orders.values()] }
}

type ArgExtreme = Extract<Aggregate, { kind: 'arg_max' | 'arg_min' }>

/** The row of each group that has the extreme key. In a group in which all of them are null it is any row. */
function firstsOf(keys: readonly number[], { kind, by }: ArgExtreme): FirstRows {
  const key = { column: by, isDescending: kind === 'arg_max', areNullsFirst: false }
  return { keys, order: [key], most: 1, isNumbered: false }
}

function isText({ columns }: ScanSpec, name: string): boolean {
  const type = columns.find((each) => each.name === name)?.type
  return type !== undefined && TEXTS.has(type.kind)
}

const TEXTS: ReadonlySet<DataType['kind']> = new Set(['utf8', 'binary'])
