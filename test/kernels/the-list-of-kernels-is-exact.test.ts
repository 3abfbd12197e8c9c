import t from 'tap'
import { canEvaluate, KERNELS, mayFail } from '../../src/plan/kernels/kernels.ts'
import type { DataType } from '../../src/plan/types/schema.ts'

const BIGINT: DataType = { kind: 'int', bits: 64, signed: true }
const INTEGER: DataType = { kind: 'int', bits: 32, signed: true }
const DOUBLE: DataType = { kind: 'float', bits: 64 }
const BOOLEAN: DataType = { kind: 'bool' }
const VARCHAR: DataType = { kind: 'utf8' }
const UTC: DataType = { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' }

t.test('each listed overload is evaluated, and none with another result', async (t) => {
  for (const { name, overloads, accepts, takes } of KERNELS.values())
    for (const { args, result } of overloads) {
      t.ok(accepts(args, result), name)
      t.equal(canEvaluate(name, args, result), takes === undefined, name)
      t.notOk(canEvaluate(name, args, { kind: 'binary' }), name)
      t.notOk(canEvaluate(name, [], result), name)
    }
})

t.test('arguments have the types of an overload exactly', async (t) => {
  t.ok(canEvaluate('+', [BIGINT, BIGINT], BIGINT))
  t.notOk(canEvaluate('+', [BIGINT, INTEGER], BIGINT))
  t.notOk(canEvaluate('+', [BIGINT, BIGINT], DOUBLE))
  t.ok(canEvaluate('=', [UTC, UTC], BOOLEAN))
  t.notOk(canEvaluate('=', [UTC, { ...UTC, zone: null }], BOOLEAN))
  t.ok(
    canEvaluate(
      '=',
      [{ kind: 'dictionary', index: INTEGER, value: VARCHAR, ordered: false } as DataType, VARCHAR],
      BOOLEAN,
    ),
  )
  t.notOk(canEvaluate('toString', [VARCHAR], VARCHAR))
})

t.test('CASE has conditions and values in turn, and a value at the end', async (t) => {
  t.ok(canEvaluate('case', [BOOLEAN, VARCHAR, VARCHAR], VARCHAR))
  t.ok(canEvaluate('case', [BOOLEAN, BOOLEAN, BOOLEAN, BOOLEAN, BOOLEAN], BOOLEAN))
  t.notOk(canEvaluate('case', [BOOLEAN, VARCHAR], VARCHAR))
  t.notOk(canEvaluate('case', [BOOLEAN, VARCHAR, BOOLEAN, VARCHAR], VARCHAR))
  t.notOk(canEvaluate('case', [BIGINT, VARCHAR, VARCHAR], VARCHAR))
})

t.test('what may fail says so', async (t) => {
  t.ok(mayFail('+', [BIGINT, BIGINT], BIGINT))
  t.notOk(mayFail('+', [DOUBLE, DOUBLE], DOUBLE))
  t.ok(mayFail('cast', [BIGINT], INTEGER))
  t.notOk(mayFail('cast', [INTEGER], BIGINT))
  t.notOk(mayFail('try_cast', [BIGINT], INTEGER))
  t.ok(mayFail('cast', [INTEGER], { kind: 'int', bits: 64, signed: false }))
  t.notOk(mayFail('cast', [{ kind: 'int', bits: 32, signed: false }], BIGINT))
  t.ok(mayFail('unknown', [], BIGINT))
})
