import assert from 'node:assert/strict'
import t from 'tap'
import {
  callExpression,
  columnExpression,
  constantExpression,
  type TypedExpression,
} from '../../src/plan/expression.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { columnOf, valuesOf } from '../core/columns.ts'
import { columnOfIndices } from './stored.ts'

const INTEGER: DataType = { kind: 'int', bits: 32, signed: true }
const BOOLEAN: DataType = { kind: 'bool' }
const VARCHAR: DataType = { kind: 'utf8' }
const GREATEST = 2_147_483_647

const core = createCore({ maximumBytes: 64 << 20 })
const x = columnExpression('x', INTEGER)
const int = (value: number) => constantExpression({ kind: 'int', value: BigInt(value) }, INTEGER)
const text = (value: string) => constantExpression({ kind: 'bytes', value: Buffer.from(value) }, VARCHAR)
const call = (name: string, type: DataType, ...args: Parameters<typeof callExpression>[1]) =>
  callExpression(name, args, type) as TypedExpression
const next = call('+', INTEGER, x, int(1))
const isSmall = call('<', BOOLEAN, x, int(GREATEST))
const isLarge = call('>', BOOLEAN, next, int(5))

const intsOf = (values: readonly (number | null)[]) =>
  columnOf(
    core,
    INTEGER,
    values.map((value) => (value === null ? null : { kind: 'int', value: BigInt(value) })),
  )

function evaluate(
  expression: TypedExpression,
  column: ReturnType<typeof intsOf>,
  asked?: readonly number[],
): (string | null)[] {
  const rows = core.rows(column)
  const runs = asked?.map((from) => ({ from, to: from + 1 }))
  const mask = runs ? core.inRuns(rows, runs) : null
  try {
    const [result] = core.evaluate([expression], {
      rows,
      mask,
      column: () => ({ column, type: INTEGER }),
      checkCancelled() {},
    })
    assert(result)
    const values = valuesOf(core, result, expression.type)
    core.free(result)
    return values.map((value) =>
      value === null
        ? null
        : value.kind === 'bytes'
          ? Buffer.from(value.value).toString()
          : String(value.value),
    )
  } finally {
    if (mask !== null) core.freeMask(mask)
    core.free(column)
  }
}

const OVERFLOW = {
  code: 'invalid_sql',
  message: `Out of Range Error: Overflow in addition of INT32 (${GREATEST} + 1)! A DOUBLE has a greater range: CAST(x AS DOUBLE).`,
}

t.test('a row that the mask leaves out does not fail', async (t) => {
  t.throws(() => evaluate(next, intsOf([1, GREATEST, 3])), OVERFLOW)
  t.throws(() => evaluate(next, intsOf([1, GREATEST, 3]), [1]), OVERFLOW)
  const values = evaluate(next, intsOf([1, GREATEST, 3]), [0, 2])
  t.same([values[0], values[2]], ['2', '4'])
  t.same(evaluate(next, intsOf([null, 4])), [null, '5'])
})

t.test('a branch is evaluated for the rows that take it', async (t) => {
  const column = () => intsOf([1, GREATEST, null, 3])
  t.same(evaluate(call('case', INTEGER, isSmall, next, int(0)), column()), ['2', '0', '0', '4'])
  t.throws(() => evaluate(call('case', INTEGER, isSmall, int(0), next), column()), OVERFLOW)
  const nested = call('case', INTEGER, isSmall, call('case', INTEGER, isLarge, int(7), next), int(0))
  t.same(evaluate(nested, column()), ['2', '0', '0', '4'])
  // The same sum in the condition and behind it: there it is asked for in fewer rows.
  t.throws(() => evaluate(call('case', INTEGER, isLarge, next, int(0)), column()), OVERFLOW)
})

t.test('AND, OR and COALESCE ask no more than they need', async (t) => {
  const column = () => intsOf([1, GREATEST, null, 9])
  const isNull = call('is_null', BOOLEAN, x)
  const isGreatest = call('=', BOOLEAN, x, int(GREATEST))
  t.same(evaluate(call('and', BOOLEAN, isSmall, isLarge), column()), ['false', 'false', null, 'true'])
  t.same(evaluate(call('or', BOOLEAN, isGreatest, isNull, isLarge), column()), [
    'false',
    'true',
    'true',
    'true',
  ])
  t.throws(() => evaluate(call('and', BOOLEAN, isLarge, isSmall), column()), OVERFLOW)
  t.same(evaluate(call('coalesce', INTEGER, x, next), column()), ['1', String(GREATEST), null, '9'])
})

t.test('a value of a dictionary fails only if a row that is asked for has it', async (t) => {
  const values = [1, GREATEST, 3]
  const column = (indices: readonly (number | null)[]) => columnOfIndices(core, intsOf(values), indices)
  t.throws(() => evaluate(next, column([0, 2, 1, 0, 0, 0])), OVERFLOW)
  t.same(evaluate(next, column([0, 2, 2, 0, null, 0])), ['2', '4', '4', '2', null, '2'])
  t.same(evaluate(next, column([0, 1, 2, 0, 0, 0]), [0, 2])[2], '4')
})

t.test('what reads one dictionary or constant is stored like it', async (t) => {
  const indices = Array.from({ length: 9000 }, (_, row) => (row % 5 === 0 ? null : row % 3))
  const names = call(
    'case',
    VARCHAR,
    call('is_null', BOOLEAN, x),
    text('none'),
    call('=', BOOLEAN, x, int(3)),
    text('three'),
    text('other'),
  )
  const dictionary = columnOfIndices(core, intsOf([1, 2, 3]), indices)
  const bytes = core.columnBytes(dictionary)
  const [stored] = core.evaluate([names], {
    rows: 9000,
    mask: null,
    column: () => ({ column: dictionary, type: INTEGER }),
    checkCancelled() {},
  })
  assert(stored)
  t.ok(core.columnBytes(stored) <= bytes + 1000)
  core.free(stored)
  t.same(
    evaluate(names, dictionary),
    indices.map((index) => (index === null ? 'none' : index === 2 ? 'three' : 'other')),
  )
  const repeated = core.constant(INTEGER, { kind: 'int', value: 3n }, 100_000)
  t.same(new Set(evaluate(names, repeated)), new Set(['three']))
})

t.test('a long evaluation asks whether it was cancelled', async (t) => {
  const column = core.constant(INTEGER, { kind: 'int', value: 3n }, 200_000)
  const long = intsOf(Array.from({ length: 1000 }, (_, row) => row))
  const many = core.concat(Array.from({ length: 200 }, () => long))
  let asked = 0
  const rows = {
    rows: 200_000,
    mask: null,
    column: (name: string) => ({ column: name === 'x' ? many : column, type: INTEGER }),
    checkCancelled() {
      if (++asked === 2) throw new Error('cancelled')
    },
  }
  const used = core.usedBytes()
  t.throws(() => core.evaluate([next], rows), { message: 'cancelled' })
  t.equal(core.usedBytes(), used)
  for (const each of [column, long, many]) core.free(each)
})

t.teardown(() => assert.equal(core.usedBytes(), 0))
