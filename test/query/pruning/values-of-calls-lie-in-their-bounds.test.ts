import assert from 'node:assert/strict'
import t from 'tap'
import { orDeclined } from '../../../src/main/query/bind/declined.ts'
import { bindCall } from '../../../src/main/query/bind/expressions/bind-call.ts'
import type { Argument } from '../../../src/main/query/bind/expressions/literal-constant.ts'
import { bindCast } from '../../../src/main/query/bind/expressions/make-call.ts'
import type { KnownColumn } from '../../../src/plan/condition/bounds.ts'
import { type Comparison, compareScalars } from '../../../src/plan/condition/compare.ts'
import { type Condition, compare } from '../../../src/plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../src/plan/condition/prune.ts'
import { isServiceError } from '../../../src/plan/errors.ts'
import { columnExpression, constantExpression, type TypedExpression } from '../../../src/plan/expression.ts'
import {
  infinityOf,
  isAnyTime,
  perDay,
  TIMESTAMPTZ,
  TIMESTAMPTZ_NS,
} from '../../../src/plan/kernels/calendar.ts'
import { DATE, TIMESTAMPS } from '../../../src/plan/kernels/kernel-types.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { cellsOf } from '../../kernels/rows.ts'
import { fc } from '../../support/generate.ts'
import { interpret } from '../generated/interpret.ts'
import { interesting } from '../generated/literal-generators.ts'

const core = createCore({ maximumBytes: 64 << 20 })

const TYPES: Readonly<Record<string, DataType>> = {
  f64: { kind: 'float', bits: 64 },
  f32: { kind: 'float', bits: 32 },
  i64: { kind: 'int', bits: 64, signed: true },
  i8: { kind: 'int', bits: 8, signed: true },
  u16: { kind: 'int', bits: 16, signed: false },
}

const TIMES: Readonly<Record<string, DataType>> = {
  day: DATE,
  ...Object.fromEntries(TIMESTAMPS.map((type) => [type.kind === 'timestamp' ? type.unit : '', type])),
  zoned: TIMESTAMPTZ,
  zoned_ns: TIMESTAMPTZ_NS,
}

type Cell = number | bigint | null

function scalarOf(type: DataType, cell: Exclude<Cell, null>): Scalar {
  if (type.kind !== 'float') return { kind: 'int', value: BigInt(cell) }
  return {
    kind: 'float',
    value: type.bits === 32 ? Math.fround(Number(cell)) : Number(cell),
  }
}

const cell = (type: DataType): fc.Arbitrary<Cell> =>
  fc.oneof(
    fc.constantFrom(...(interesting(type) as readonly Cell[])),
    fc.constant(null),
    type.kind === 'int'
      ? fc.integer({ min: type.signed ? -100 : 0, max: 100 }).map(BigInt)
      : fc.double({ min: -1000, max: 1000, noNaN: true }),
  )

/** Values that are near each other, so that their bounds lie in one year, one day or one minute. */
const times = (type: DataType): fc.Arbitrary<readonly Cell[]> =>
  fc
    .tuple(
      cellsOf(type),
      fc.constantFrom(1, 60, 3_600, 86_400, 40 * 86_400, 400 * 86_400),
      fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 4 }),
    )
    .map(([value, seconds, steps]) => {
      if (value?.kind !== 'int') return [null]
      if (value.value >= infinity(type) || value.value <= -infinity(type)) return [value.value]
      const length = isAnyTime(type) ? (perDay(type) * BigInt(seconds)) / 86_400n : 1n
      return steps.map((step) => value.value + (length * BigInt(step)) / 1000n)
    })

const infinity = (type: DataType): bigint => (isAnyTime(type) ? infinityOf(type) : 0n)

const columns = fc.tuple(
  ...Object.entries(TIMES).map(([name, type]) => times(type).map((cells) => ({ name, type, cells }))),
  ...Object.entries(TYPES).map(([name, type]) =>
    fc.array(cell(type), { minLength: 1, maxLength: 4 }).map((cells) => ({ name, type, cells })),
  ),
)

/** A call that moves a time by a part of the calendar, or to the beginning of one. */
function stepOf(
  name: string,
  part: string,
  time: TypedExpression,
): readonly [name: string, args: readonly Argument[]] {
  const text = constantExpression({ kind: 'bytes', value: Buffer.from(part) }, { kind: 'utf8' })
  const interval: Argument = { kind: 'literal', form: 'interval', text: `5 ${part}`, at: 0 }
  if (name === 'date_trunc') return [name, [text, time]]
  return [name, name === '+' || name === '-' ? [time, interval] : [interval, time]]
}

const ZONES = ['Europe/Paris', 'America/New_York', 'Pacific/Apia', 'Africa/Casablanca', '+23:30', '-23:30']

const ofTimes = fc
  .tuple(
    fc.constantFrom(
      ...[
        'year',
        'month',
        'day',
        'quarter',
        'dayofyear',
        'dayofweek',
        'isodow',
        'week',
        'isoyear',
        'yearweek',
      ],
      ...['decade', 'century', 'millennium', 'era', 'hour', 'minute', 'second', 'millisecond', 'microsecond'],
    ),
    fc.option(
      fc.constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'century'),
    ),
    fc.boolean(),
    fc.constantFrom(...Object.keys(TIMES)),
    fc.constantFrom('date_trunc', 'date_trunc', 'time_bucket', 'date_bin', '+', '-'),
    fc.option(fc.constantFrom(...ZONES)),
  )
  .map(([field, part, isField, column, step, zone]): TypedExpression | null => {
    const bound = orDeclined(() => {
      const type = TIMES[column] as DataType
      const written = columnExpression(column, type)
      const time =
        zone === null
          ? written
          : bindCall('timezone', [{ kind: 'literal', form: 'string', text: zone, at: 0 }, written], null)
      const whole = part === null ? time : bindCall(...stepOf(step, part, time), null)
      return isField ? bindCall(field, [whole], null) : whole
    })
    return 'done' in bound ? bound.done : null
  })

/** Builds an expression by binding, from steps that a list of numbers chooses. */
const expression = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '+',
        '-',
        '*',
        '//',
        '%',
        'floor',
        'ceil',
        'trunc',
        'round',
        'neg',
        'cast',
        'abs',
        'coalesce',
      ),
      fc.constantFrom(...Object.keys(TYPES)),
      fc.constantFrom(2, -3, 1.8, 0, 32, 1e300),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((steps): TypedExpression | null => {
    const bound = orDeclined(() => {
      let made: TypedExpression | null = null
      for (const [name, column, number] of steps) {
        const type = TYPES[column] as DataType
        const leaf: TypedExpression = columnExpression(column, type)
        made ??= leaf
        const isWhole = Number.isInteger(number) && Math.abs(number) < 100
        const other: TypedExpression =
          made.type.kind === 'float'
            ? constantExpression(scalarOf(made.type, number), made.type)
            : isWhole && number > 0
              ? constantExpression(scalarOf(made.type, number), made.type)
              : leaf
        if (name === 'neg') made = bindCall('-', [made], null)
        else if (name === 'cast') made = bindCast(made, type, null)
        else if (['floor', 'ceil', 'trunc', 'round', 'abs'].includes(name))
          made = bindCall(name, [made], null)
        else made = bindCall(name, [made, other], null)
      }
      return made
    })
    return 'done' in bound ? bound.done : null
  })

const COMPARISONS: readonly Comparison[] = ['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq']

t.test('what bounds of a call leave out is not there, and what they let pass passes', async (t) => {
  const counts = { outcomes: 0, pruned: 0, sure: 0 }
  fc.assert(
    fc.property(
      columns,
      fc.oneof(expression, ofTimes),
      fc.constantFrom(...COMPARISONS),
      fc.nat(),
      fc.boolean(),
      (written, operand, comparison, pick, isExact) => {
        if (operand === null) return
        const statistics = new Map(
          written.map(({ name, type, cells }) => [name, statisticsOf(type, cells, isExact)]),
        )
        const outcomes: Cell[] = []
        let failed = 0
        // Each combination of values that the columns have.
        for (let row = 0; row < 64; row++) {
          const column = (name: string) => {
            const { type, cells = [] } = written.find((each) => each.name === name) ?? {}
            assert(type !== undefined)
            const value = cells[(row * 7 + (row >> name.length)) % cells.length] ?? null
            const handle = core.constant(type, value === null ? null : scalarOf(type, value), 1)
            return { column: handle, type }
          }
          try {
            const [result] = core.evaluate([operand], { rows: 1, mask: null, column, checkCancelled() {} })
            if (result === undefined) continue
            outcomes.push(core.valueAt(result, operand.type, 0)?.value as Cell)
            core.free(result)
          } catch (error) {
            if (!isServiceError(error)) throw error
            failed++
          }
        }
        const present = outcomes.filter((value) => value !== null && value !== undefined)
        if (present.length === 0) return
        const value = scalarOf(operand.type, present[pick % present.length] as Exclude<Cell, null>)
        const predicate: Condition = compare(operand, comparison, value)
        const passes = outcomes.map((each) => interpret(predicate, () => each ?? null) === true)
        const of = (name: string): KnownColumn | null => statistics.get(name) ?? null
        counts.outcomes++
        // A row that fails is read, so that the query fails whatever is known.
        if (failed > 0) assert.ok(mayMatch(predicate, of, 64), 'a row that fails is left out')
        if (!mayMatch(predicate, of, 64)) {
          counts.pruned++
          assert.ok(
            passes.every((each) => !each),
            'a row that passes is left out',
          )
        }
        if (mustMatch(predicate, of, 64)) {
          counts.sure++
          assert.ok(passes.every(Boolean), 'a row that does not pass is counted')
        }
      },
    ),
    { numRuns: 800 },
  )
  t.ok(counts.pruned > 10, JSON.stringify(counts))
})

function statisticsOf(type: DataType, cells: readonly Cell[], isExact: boolean): KnownColumn {
  const scalars = cells.flatMap((each) => (each === null || Number.isNaN(each) ? [] : [scalarOf(type, each)]))
  const sorted = scalars.toSorted(compareScalars)
  const [min, max] = [sorted[0], sorted.at(-1)]
  const hasNaN = cells.some((each) => Number.isNaN(each))
  const nulls = cells.filter((each) => each === null).length
  // The rows of the test take values in turn, so that only whether there are nulls is known.
  return {
    type,
    ...(min && { min }),
    ...(max && { max }),
    ...(isExact && !hasNaN && { isMaxExact: true as const }),
    ...(nulls === 0 && { nulls: 0 }),
  }
}
