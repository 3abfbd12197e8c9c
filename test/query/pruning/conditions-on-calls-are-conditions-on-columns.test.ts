import assert from 'node:assert/strict'
import t from 'tap'
import { orDeclined } from '../../../src/main/query/bind/declined.ts'
import { conditionAsValue } from '../../../src/main/query/bind/expressions/condition-as-value.ts'
import { compareArguments } from '../../../src/main/query/bind/preimages/compare-arguments.ts'
import { all, any, negation } from '../../../src/plan/condition/combine.ts'
import { type Comparison, compareScalars } from '../../../src/plan/condition/compare.ts'
import { between, type Condition, compare, isOneOf } from '../../../src/plan/condition/condition.ts'
import {
  callExpression,
  columnExpression,
  constantExpression,
  type TypedExpression,
} from '../../../src/plan/expression.ts'
import { TIMESTAMPTZ, TIMESTAMPTZ_NS, withoutZone } from '../../../src/plan/kernels/calendar.ts'
import { intervalConstant } from '../../../src/plan/kernels/intervals.ts'
import { DATE, TIMESTAMPS } from '../../../src/plan/kernels/kernel-types.ts'
import { canEvaluate } from '../../../src/plan/kernels/kernels.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { columnOf } from '../../core/columns.ts'
import { cellsOf, INFINITE_DAY } from '../../kernels/rows.ts'
import { fc } from '../../support/generate.ts'

const core = createCore({ maximumBytes: 64 << 20 })

const INT64: DataType = { kind: 'int', bits: 64, signed: true }
const BOOL: DataType = { kind: 'bool' }
const TEXT: DataType = { kind: 'utf8' }
const FLOAT: DataType = { kind: 'float', bits: 32 }
const DOUBLE: DataType = { kind: 'float', bits: 64 }

/** A call of a column `x`, and results that it may have. */
interface Case {
  readonly call: TypedExpression
  readonly type: DataType
  readonly results: fc.Arbitrary<Scalar>
  /** Values of the column that matter. Absent: any. */
  readonly values?: fc.Arbitrary<Scalar | null>
}

const call = (name: string, args: readonly TypedExpression[], type: DataType): TypedExpression =>
  callExpression(name, args, type) as TypedExpression
const x = (type: DataType): TypedExpression => columnExpression('x', type)
const text = (value: string): TypedExpression =>
  constantExpression({ kind: 'bytes', value: Buffer.from(value) }, TEXT)
const whole = (min: number, max: number): fc.Arbitrary<Scalar> =>
  fc.integer({ min, max }).map((value) => ({ kind: 'int', value: BigInt(value) }))
const finite = (type: DataType): fc.Arbitrary<Scalar> =>
  cellsOf(type).filter((value): value is Scalar => value !== null)

const times = [DATE, ...TIMESTAMPS].flatMap((type): Case[] => [
  ...(
    [
      ['year', 1960, 2040],
      ['year', -300, 10_200],
      ['isoyear', 1960, 2040],
      ['decade', 190, 210],
      ['decade', -30, 30],
      ['century', -3, 23],
      ['millennium', -1, 4],
      ['era', -1, 2],
    ] as const
  ).map(([name, min, max]) => ({ call: call(name, [x(type)], INT64), type, results: whole(min, max) })),
  ...['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'decade', 'century'].map(
    (part) => ({ call: call('date_trunc', [text(part), x(type)], type), type, results: finite(type) }),
  ),
  {
    call: call('year', [call('date_trunc', [text('month'), x(type)], type)], INT64),
    type,
    results: whole(1960, 2040),
  },
])

const MICROSECONDS = TIMESTAMPS[2] as DataType
const width = (months: number, days = 0, micros = 0n): TypedExpression =>
  intervalConstant({ months, days, micros })
const origin = constantExpression({ kind: 'int', value: 1_612_325_106_000_000n }, MICROSECONDS)

const steps = [DATE, MICROSECONDS].flatMap((type): Case[] => [
  ...[width(1), width(7), width(120), width(0, 1), width(0, 10), width(0, 0, 21_600_000_000n)].flatMap(
    (each): Case[] => [
      { call: call('time_bucket', [each, x(type)], type), type, results: finite(type) },
      {
        call: call('time_bucket', [each, x(MICROSECONDS), origin], MICROSECONDS),
        type: MICROSECONDS,
        results: finite(MICROSECONDS),
      },
    ],
  ),
  ...[width(1), width(-14, 3), width(0, 1), width(0, -3, 5_000_000n), width(0, 0, 1n)].map(
    (each): Case => ({
      call: call('date_add', [x(type), each], MICROSECONDS),
      type,
      results: finite(MICROSECONDS),
    }),
  ),
])

const units = [DATE, ...TIMESTAMPS].flatMap((type): Case[] =>
  [DATE, MICROSECONDS, ...TIMESTAMPS.slice(3)]
    .filter((to) => canEvaluate('cast', [type], to))
    .map((to) => ({ call: call('cast', [x(type)], to), type, results: finite(to) })),
)

/** Times with a zone are compared as those without one, and whole seconds of one as integers. Other seconds fail. */
const zoned = [TIMESTAMPTZ, TIMESTAMPTZ_NS].flatMap((type): Case[] => {
  const local = withoutZone(type)
  const inUtc = call('cast', [x(type)], local)
  const start = call('cast', [call('date_trunc', [text('month'), inUtc], local)], type)
  return [
    { call: inUtc, type, results: finite(local) },
    { call: call('year', [inUtc], INT64), type, results: whole(1960, 2040) },
    { call: start, type, results: finite(type) },
  ]
})

/** When clocks change: in Paris, New York and Casablanca, at midnight in Havana, by a day in Apia, and to the first standard time. */
const CHANGES = [
  ...['2024-03-31T01:00', '2024-10-27T01:00', '2024-03-10T07:00', '2024-11-03T06:00', '2026-02-15T02:00'],
  ...['2024-03-10T05:00', '2024-11-03T05:00', '2011-12-30T10:00', '1891-03-15T23:51', '2500-03-28T01:00'],
].map((text) => BigInt(Date.parse(`${text}Z`)) / 1000n)

/** Times in zones, and times with a zone of those. */
const inZones = [TIMESTAMPTZ, TIMESTAMPTZ_NS].flatMap((type) =>
  [
    ...['Europe/Paris', 'America/New_York', 'Africa/Casablanca', 'America/Havana', 'Pacific/Apia'],
    ...['Asia/Kathmandu', '-23:59'],
  ].flatMap((name): Case[] => {
    const local = withoutZone(type)
    const near = (of: DataType): fc.Arbitrary<Scalar> => {
      const unit = of.kind === 'timestamp' && of.unit === 'nanosecond' ? 1_000_000_000n : 1_000_000n
      const changes = fc
        .tuple(
          fc.constantFrom(...CHANGES),
          fc.integer({ min: -120, max: 120 }),
          fc.constantFrom(-1n, 0n, 0n, 1n),
        )
        .map(([second, quarters, step]) => (second + BigInt(quarters) * 900n) * unit + step)
        .filter((value) => BigInt.asIntN(63, value) === value)
        .map((value): Scalar => ({ kind: 'int', value }))
      return fc.oneof(finite(of), changes, changes, changes)
    }
    const zone = text(name)
    const day = call('date_trunc', [text('day'), call('timezone', [zone, x(type)], local)], local)
    return [
      {
        call: call('timezone', [zone, x(type)], local),
        type,
        results: near(local),
        values: near(type),
      },
      {
        call: call('timezone', [zone, x(local)], type),
        type: local,
        results: near(type),
        values: near(local),
      },
      { call: day, type, results: near(local), values: near(type) },
    ]
  }),
)

const seconds = [{ ...INT64, bits: 32 } as DataType, { ...INT64, bits: 8, signed: false } as DataType].map(
  (type): Case => ({
    call: call('to_timestamp', [call('cast', [x(type)], DOUBLE)], TIMESTAMPTZ),
    type,
    results: fc.oneof(
      finite(TIMESTAMPTZ),
      fc
        .bigInt({ min: -300n, max: 300n })
        .map((value): Scalar => ({ kind: 'int', value: value * 1_000_000n })),
    ),
  }),
)

/** Seconds since 1970 around the end of a February, and far from it. */
const nearMonths = fc
  .tuple(fc.constantFrom(1, 1800, 86_400, 30 * 86_400), fc.integer({ min: -40, max: 40 }))
  .map(([step, count]) => Date.UTC(2024, 1, 29, 23) / 1000 + step * count)

/** Texts of times, and some that no time has. */
const formats = [DATE, MICROSECONDS, TIMESTAMPS[3] as DataType].flatMap((type): Case[] => {
  const second = type.kind === 'date' ? 1n : type === MICROSECONDS ? 1_000_000n : 1_000_000_000n
  const clocks = type.kind === 'date' ? [] : ['%Y-%m-%dT%H', '%Y-%m-%d %H:%M', '%Y%m%d%H%M%S', '%S %Y']
  const values = nearMonths.map((each): Scalar => {
    const value = type.kind === 'date' ? Math.floor(each / 86_400) : each
    return { kind: 'int', value: BigInt(value) * second }
  })
  return ['%Y', '%Y-%m', 'on %Y/%m/%d.', '%m-%Y', ...clocks].map((format) => ({
    call: call('strftime', [x(type), text(format)], TEXT),
    type,
    results: fc
      .oneof(
        nearMonths.map((each) => {
          const [year, month, day, hour, minute, second] = new Date(each * 1000).toISOString().split(/\D/)
          const codes: Readonly<Record<string, string | undefined>> = {
            ...{ '%Y': year, '%m': month, '%d': day, '%H': hour, '%M': minute, '%S': second },
          }
          return format.replaceAll(/%./g, (code) => codes[code] ?? code)
        }),
        fc.constantFrom('', '2024', '2024-13', '0024-01', '2024-02-', 'on 2023/02/29.', '2024-02-30T24'),
      )
      .map((each): Scalar => ({ kind: 'bytes', value: Buffer.from(each) })),
    values: fc.oneof(cellsOf(type), values, values, values),
  }))
})

const numbers = [
  ...[FLOAT, DOUBLE].flatMap((type): Case[] =>
    ['floor', 'ceil'].map((name) => ({ call: call(name, [x(type)], type), type, results: finite(type) })),
  ),
  ...[FLOAT, INT64, { ...INT64, bits: 8 } as DataType, { ...INT64, signed: false } as DataType].map(
    (type): Case => ({
      call: call('cast', [x(type)], DOUBLE),
      type,
      results: fc.oneof(
        finite(DOUBLE),
        finite(FLOAT),
        fc.tuple(finite(FLOAT), fc.constantFrom(1 + 2 ** -30, 1 - 2 ** -30)).map(
          ([value, factor]): Scalar => ({
            kind: 'float',
            value: Number(value.value) * factor,
          }),
        ),
      ),
    }),
  ),
]

const texts = ['a', 'a%', '%', '', 'a_', 'ab%b', '%a', 'ä%', '_b'].flatMap((pattern): Case[] =>
  ['like', 'starts_with'].map((name) => ({
    call: call(name, [x(TEXT), text(pattern)], BOOL),
    type: TEXT,
    results: fc.boolean().map((value) => ({ kind: 'bool', value })),
  })),
)

const comparisons = fc.constantFrom<Comparison>('eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq')

/** A condition on the results, and the values of the column. */
const cases = fc
  .constantFrom(
    ...times,
    ...steps,
    ...units,
    ...zoned,
    ...inZones,
    ...seconds,
    ...formats,
    ...numbers,
    ...texts,
  )
  .chain(({ call: operand, type, results, values = cellsOf(type) }) => {
    const compared = fc
      .tuple(comparisons, results)
      .map(
        ([comparison, value]): Condition =>
          value.kind === 'bool' ? compare(operand, 'eq', value) : compare(operand, comparison, value),
      )
    const lists = fc.array(results, { minLength: 2, maxLength: 5 }).map((values): Condition => {
      const sorted = values.toSorted(compareScalars)
      const distinct = sorted.filter((each, index) => {
        const before = sorted[index - 1]
        return before === undefined || compareScalars(before, each) !== 0
      })
      const [low, high] = [sorted[0] as Scalar, sorted.at(-1) as Scalar]
      if (low.kind === 'bool') return compare(operand, 'eq', low)
      return values.length % 2 === 0 ? isOneOf(operand, distinct) : between(operand, low, high)
    })
    const one = fc.oneof(compared, compared, lists)
    const negated = one.map((arg): Condition => negation(arg))
    const two = fc
      .tuple(fc.constantFrom(all, any), fc.oneof(one, negated), one)
      .map(([join, ...args]): Condition => join(args))
    const condition = fc.oneof(
      one,
      one,
      negated,
      two,
      two.map((arg): Condition => negation(arg)),
    )
    return fc
      .tuple(
        condition,
        fc.array(fc.oneof(values, atResult(type, operand, results, values)), {
          minLength: 30,
          maxLength: 30,
        }),
      )
      .map(([predicate, values]) => ({ predicate, type, values }))
  })

/** Values of the column that are near the results, where these are of the same type. */
function atResult(
  type: DataType,
  operand: TypedExpression,
  results: fc.Arbitrary<Scalar>,
  values: fc.Arbitrary<Scalar | null>,
): fc.Arbitrary<Scalar | null> {
  if (operand.type !== type) return values
  return fc.tuple(results, fc.constantFrom(-1, 0, 1)).map(([value, step]): Scalar => {
    if (value.kind !== 'int') return value
    const isBounded =
      value.value < 2n ** 62n && value.value > -(2n ** 62n) && Math.abs(Number(value.value)) !== INFINITE_DAY
    return { kind: 'int', value: value.value + (isBounded ? BigInt(step) : 0n) }
  })
}

t.test('a comparison of a call passes the rows that it passes as one of its argument', async (t) => {
  const counts = { changed: 0, passed: 0 }
  fc.assert(
    fc.property(cases, ({ predicate, type, values }) => {
      const by = compareArguments(predicate)
      if (by !== predicate) counts.changed++
      const bound = orDeclined(() => [predicate, by].map((each) => conditionAsValue(each, null)))
      assert('done' in bound, JSON.stringify('reason' in bound ? bound.reason : null))
      const column = columnOf(core, type, values)
      try {
        const [first, second] = bound.done.map((expression) =>
          truthOf(expression, column, type, values.length),
        )
        if (first === null || second === null) return
        counts.passed += first?.filter((each) => each).length ?? 0
        assert.deepEqual(second, first, show({ predicate, by, values }))
      } finally {
        core.free(column)
      }
    }),
    { numRuns: 1500 },
  )
  t.ok(counts.changed > 1000 && counts.passed > 1000, JSON.stringify(counts))
})

/** The rows for which an expression is true. Null: one of them fails. */
function truthOf(
  expression: TypedExpression,
  column: ReturnType<typeof columnOf>,
  type: DataType,
  rows: number,
): readonly boolean[] | null {
  try {
    const [result] = core.evaluate([expression], {
      rows,
      mask: null,
      column: () => ({ column, type }),
      checkCancelled() {},
    })
    assert(result)
    const truth = Array.from({ length: rows }, (_, row) => core.valueAt(result, BOOL, row)?.value === true)
    core.free(result)
    return truth
  } catch {
    return null
  }
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))
}
