import { join } from 'node:path'
import { Int8, Int32, Int64, Table, Uint16, Uint64, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { fc } from '../support/generate.ts'
import { answersOf } from './answers.ts'
import { writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

/** Values about zero, and about the places where floats or a type end. */
const VALUES = {
  i8: [-128n, -127n, -5n, -1n, 0n, 1n, 4n, 5n, 126n, 127n],
  u16: [0n, 1n, 4n, 5n, 6n, 100n, 32768n, 65533n, 65534n, 65535n],
  i64: [
    -(2n ** 63n),
    -(2n ** 53n) - 1n,
    -5n,
    -1n,
    0n,
    4n,
    2n ** 53n,
    2n ** 53n + 1n,
    2n ** 53n + 2n,
    2n ** 63n - 1n,
  ],
  u64: [0n, 1n, 4n, 5n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n],
} as const
type Column = keyof typeof VALUES
const COLUMNS = Object.keys(VALUES) as readonly Column[]
const ROWS = VALUES.i8.length

const service = await startTestService(t)
const { rowsOf } = answersOf(service)
const table = new Table({
  row: vectorFromArray([...VALUES.i8.keys()], new Int32()),
  name: vectorFromArray(
    Array.from({ length: ROWS }, () => 'any'),
    new Utf8(),
  ),
  i8: vectorFromArray(VALUES.i8.map(Number), new Int8()),
  u16: vectorFromArray(VALUES.u16.map(Number), new Uint16()),
  i64: vectorFromArray(VALUES.i64, new Int64()),
  u64: vectorFromArray(VALUES.u64, new Uint64()),
})
// Row groups of two rows, so that statistics decide for some of them.
writeParquetFile(join(service.datasets, 'integers.parquet'), table, 2)

/** A number of the request in quarters, so that a whole number is a multiple of four. */
type Quarters = bigint

/** `-4.75` for −19. */
function textOf(quarters: Quarters): string {
  const size = quarters < 0n ? -quarters : quarters
  return `${quarters < 0n ? '-' : ''}${size / 4n}${['', '.25', '.5', '.75'][Number(size % 4n)]}`
}

const COMPARISONS: Readonly<Record<string, (value: bigint, quarters: Quarters) => boolean>> = {
  eq: (value, quarters) => value * 4n === quarters,
  neq: (value, quarters) => value * 4n !== quarters,
  gt: (value, quarters) => value * 4n > quarters,
  gt_eq: (value, quarters) => value * 4n >= quarters,
  lt: (value, quarters) => value * 4n < quarters,
  lt_eq: (value, quarters) => value * 4n <= quarters,
  min: (value, quarters) => value * 4n >= quarters,
  max: (value, quarters) => value * 4n <= quarters,
}

interface Condition {
  readonly column: Column
  readonly members: Readonly<Record<string, Quarters | readonly Quarters[]>>
  passes(value: bigint): boolean
}

const columns = fc.constantFrom(...COLUMNS)
/** A number at, or just beside, one of a column's values. */
const near = (column: Column): fc.Arbitrary<Quarters> =>
  fc
    .tuple(fc.constantFrom(...VALUES[column]), fc.constantFrom(-5n, -4n, -3n, -1n, 0n, 1n, 2n, 4n))
    .map(([value, beside]) => value * 4n + beside)

const comparison: fc.Arbitrary<Condition> = columns.chain((column) =>
  fc.tuple(fc.constantFrom(...Object.keys(COMPARISONS)), near(column)).map(([operator, quarters]) => ({
    column,
    members: { [operator]: quarters },
    passes: (value) => COMPARISONS[operator]?.(value, quarters) ?? false,
  })),
)
const range: fc.Arbitrary<Condition> = columns.chain((column) =>
  fc.tuple(near(column), near(column)).map(([min, max]) => ({
    column,
    members: { min, max },
    passes: (value) => value * 4n >= min && value * 4n <= max,
  })),
)
const list: fc.Arbitrary<Condition> = columns.chain((column) =>
  fc
    .tuple(fc.constantFrom('in', 'not_in'), fc.array(near(column), { minLength: 1, maxLength: 4 }))
    .map(([operator, values]) => ({
      column,
      members: { [operator]: values },
      passes: (value) => values.includes(value * 4n) === (operator === 'in'),
    })),
)

/** The rows that pass, as the service says. A pattern is evaluated by DuckDB, and the conditions beside it as well. */
async function rowsThatPass({ column, members }: Condition, byDuckdb: boolean, negated: boolean) {
  const raw = (quarters: Quarters) => JSON.rawJSON(textOf(quarters))
  const values = Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? raw(value) : value.map(raw),
  ])
  const filter = { column, ...Object.fromEntries(values) }
  const either = byDuckdb ? { or: [filter, { column: 'name', like: '%none%' }] } : filter
  const rows = await rowsOf({
    select: ['row'],
    from: { parquet: { paths: ['integers.parquet'] } },
    filters: [negated ? { not: either } : either],
  })
  return rows.map(({ row }) => row)
}

for (const byDuckdb of [false, true])
  t.test(`integers and numbers with a fraction, ${byDuckdb ? 'DuckDB' : 'the core'}`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(comparison, range, list), fc.boolean(), async (condition, negated) => {
        const passing = VALUES[condition.column].flatMap((value, row) =>
          condition.passes(value) === negated ? [] : [row],
        )
        const { column, members } = condition
        const shown = JSON.stringify(members, (_, value) =>
          typeof value === 'bigint' ? textOf(value) : value,
        )
        t.same(
          await rowsThatPass(condition, byDuckdb, negated),
          passing,
          `${negated ? 'not ' : ''}${column} ${shown}`,
        )
      }),
      { numRuns: byDuckdb ? 60 : 200 },
    )
  })
