import { type DataType, type Field, typeName, valueType } from '../../../plan/types/schema.ts'
import { writeText } from '../../query/duckdb/from-json/write.ts'

/**
 * The statement that summarizes the rows of a query: a row for each of its columns, in their order, with exact aggregates over one
 * scan. `columns` are those of the query, of which there is at least one.
 */
export function writeSummary(query: string, columns: readonly Field[]): string {
  const words = columns.map((_, index) => `c${index}`)
  const each = (written: WriteAggregate): string =>
    `unnest([${columns.map(({ type }, index) => written(words[index] ?? '', valueType(type))).join(', ')}])`
  const aggregates = Object.entries(AGGREGATES).map(([name, written]) => `${each(written)} AS "${name}"`)
  const selected = [
    `unnest([${columns.map(({ name }) => writeText(name)).join(', ')}]) AS column_name`,
    `unnest([${columns.map(({ type }) => writeText(typeName(type))).join(', ')}]) AS column_type`,
    ...aggregates,
  ]
  // The query may end in a comment.
  return `SELECT ${selected.join(', ')} FROM (${query}\n) AS summarized(${words.join(', ')})`
}

/** Writes an aggregate of the column that goes by a word. */
type WriteAggregate = (word: string, type: DataType) => string

const AGGREGATES: Readonly<Record<string, WriteAggregate>> = Object.freeze({
  min: (word, type) => (isOrdered(type) ? `CAST(min(${word}) AS VARCHAR)` : 'CAST(NULL AS VARCHAR)'),
  max: (word, type) => (isOrdered(type) ? `CAST(max(${word}) AS VARCHAR)` : 'CAST(NULL AS VARCHAR)'),
  distinct: (word) => `count(DISTINCT ${word})`,
  avg: (word, type) => (isNumber(type) ? writeAverage(word, type) : 'CAST(NULL AS DOUBLE)'),
  std: (word, type) => (isNumber(type) ? writeDeviation(word, type) : 'CAST(NULL AS DOUBLE)'),
  count: (word) => `count(${word})`,
  null_percentage: (word) =>
    `CASE WHEN count(*) = 0 THEN CAST(0 AS DOUBLE) ELSE CAST(100 AS DOUBLE) * (count(*) - count(${word})) / count(*) END`,
})

/** DuckDB orders all types; of nested values and of intervals, which may be months or days, no order is meant. */
function isOrdered({ kind }: DataType): boolean {
  return !['null', 'interval', 'list', 'large_list', 'fixed_list', 'struct', 'map'].includes(kind)
}

function isNumber({ kind }: DataType): boolean {
  return kind === 'int' || kind === 'float' || kind === 'decimal'
}

/** Sums of greater numbers, or of their squares, are beyond a double: DuckDB fails then. */
const GREATEST = '1e150'

function writeAverage(word: string, type: DataType): string {
  return type.kind === 'float' ? writeGuarded('avg', word) : `CAST(avg(${word}) AS DOUBLE)`
}

function writeDeviation(word: string, type: DataType): string {
  return type.kind === 'float' ? writeGuarded('stddev_samp', word) : `stddev_samp(CAST(${word} AS DOUBLE))`
}

/**
 * NaN, if a number is not finite or has more than `GREATEST`. The condition is in the argument: for each aggregate with a FILTER DuckDB
 * allocates a vector of every column.
 */
function writeGuarded(aggregate: string, word: string): string {
  const isSmall = `abs(${word}) < ${GREATEST}`
  const small = `CASE WHEN ${isSmall} THEN CAST(${word} AS DOUBLE) END`
  return `CASE WHEN bool_and(${isSmall}) IS FALSE THEN CAST('nan' AS DOUBLE) ELSE ${aggregate}(${small}) END`
}
