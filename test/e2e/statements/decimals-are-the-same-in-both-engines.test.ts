import t from 'tap'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { type Asked, compareEngines, tablesOf } from '../../sql/select/compare-engines.ts'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 2 })

const decimal = (precision: number, scale: number): DataType => ({
  kind: 'decimal',
  bits: 128,
  precision,
  scale,
})

const COLUMNS: Readonly<Record<string, DataType>> = {
  d4: decimal(4, 1),
  d9: decimal(9, 2),
  d15: decimal(15, 2),
  whole: decimal(10, 0),
  share: decimal(6, 5),
  d18: decimal(18, 4),
  wide: decimal(24, 3),
  i8: { kind: 'int', bits: 8, signed: true },
  i32: { kind: 'int', bits: 32, signed: true },
  i64: { kind: 'int', bits: 64, signed: true },
  u16: { kind: 'int', bits: 16, signed: false },
  f32: { kind: 'float', bits: 32 },
  f64: { kind: 'float', bits: 64 },
}

const operand = fc.oneof(
  { arbitrary: fc.constantFrom(...Object.keys(COLUMNS)), weight: 3 },
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '100',
    '0.5',
    '-1.25',
    '0.05',
    '001.5',
    '12345.678',
    '1e1',
    '3000000000',
    'NULL',
  ),
)
const ofOneColumn = fc.constantFrom(
  ...['CAST(d15 AS DOUBLE)', 'd9 / 4', 'd4 * 2 + 1', '-d15', 'CAST(d9 AS INTEGER)', 'i32 + 0.5', '1 - share'],
  ...['CAST(d15 AS DECIMAL(18, 1))', 'd9 * d9', 'CAST(i8 AS DECIMAL(5, 1)) * 10', 'abs(d4)', 'd4 + d9'],
)
/** Sums of these are exact, whereas large floats of both signs leave other digits in another order. */
const summed = fc.constantFrom(
  'd15',
  'd9 * d4',
  'd4 + d9',
  '-share',
  'whole',
  'd4 * (1 - share)',
  'abs(d18)',
  'wide',
)
const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM')
const type = fc.constantFrom(
  'DOUBLE',
  'REAL',
  'INTEGER',
  'TINYINT',
  'BIGINT',
  'DECIMAL(18, 3)',
  'DECIMAL(12, 6)',
  'DECIMAL(5, 0)',
)

type Generated = Readonly<Record<'value' | 'condition', string>>

const generated = fc.letrec<Generated>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    operand,
    fc
      .tuple(tie('value'), fc.constantFrom('+', '-', '*', '/'), tie('value'))
      .map(([a, by, b]) => `(${a} ${by} ${b})`),
    fc.tuple(fc.constantFrom('-', 'abs', 'sign'), tie('value')).map(([name, arg]) => `${name}(${arg})`),
    fc
      .tuple(fc.constantFrom('CAST', 'TRY_CAST'), tie('value'), type)
      .map(([name, arg, to]) => `${name}(${arg} AS ${to})`),
    fc
      .tuple(fc.constantFrom('coalesce', 'greatest', 'least'), tie('value'), tie('value'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc
      .tuple(tie('condition'), tie('value'), tie('value'))
      .map(([test, a, b]) => `CASE WHEN ${test} THEN ${a} ELSE ${b} END`),
  ),
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(tie('value'), comparison, tie('value')).map((parts) => parts.join(' ')),
    fc.tuple(tie('value'), operand, operand).map(([a, b, c]) => `${a} BETWEEN ${b} AND ${c}`),
    fc.tuple(tie('value'), operand, operand).map(([a, b, c]) => `${a} IN (${b}, ${c})`),
    fc.tuple(tie('value'), fc.constantFrom('IS NULL', 'IS NOT NULL')).map((parts) => parts.join(' ')),
    // What statistics of files prune by.
    { arbitrary: fc.tuple(ofOneColumn, comparison, operand).map((parts) => parts.join(' ')), weight: 2 },
  ),
}))

const exactly = (list: string, tail: string): Asked => ({ list, tail, isExact: true })

const asked = fc.oneof(
  generated.value.map((value) => exactly(`"row id", ${value} AS x`, ' ORDER BY "row id"')),
  generated.condition.map((test) => exactly('"row id"', ` WHERE ${test} ORDER BY "row id"`)),
  generated.value.map((key) => exactly(`${key} AS k, count(*) AS n`, ' GROUP BY k ORDER BY min("row id")')),
  fc.tuple(generated.value, summed).map(
    ([a, b]): Asked => ({
      list: `min(${a}) AS a, max(${a}) AS b, sum(${b}) AS s, avg(${b}) AS m, count(DISTINCT ${a}) AS d`,
      tail: '',
      isExact: false,
    }),
  ),
  generated.value.map((key) => exactly('"row id"', ` ORDER BY ${key}, "row id" LIMIT 7`)),
)

t.test('what the core computes of decimals is what DuckDB computes', async (t) => {
  await compareEngines(t, service, tablesOf(COLUMNS), asked)
})
