import t from 'tap'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { columnOf } from './columns.ts'

const core = createCore({ maximumBytes: 16 << 20 })
const utf8: DataType = { kind: 'utf8' }
const uint32: DataType = { kind: 'int', bits: 32, signed: false }
const text = (value: string | null): Scalar | null =>
  value === null ? null : { kind: 'bytes', value: new Uint8Array(Buffer.from(value)) }
const int = (value: number | null): Scalar | null =>
  value === null ? null : { kind: 'int', value: BigInt(value) }

t.test('times have milliseconds and no zone, text is quoted as in CSV', async (t) => {
  const names = columnOf(core, utf8, ['a,b', 'a\tb', '//c', null, '"', ''].map(text))
  const times: DataType = { kind: 'timestamp', unit: 'microsecond', zone: '+02:00' }
  const instants = columnOf(core, times, [0, -1, 1_999, null, 86_400_000_000, 1].map(int))
  const star = core.constant(utf8, { kind: 'bytes', value: Buffer.from('*') }, 6)
  const columns = [names, star, instants, instants]
  const { bytes, rows } = core.encodeOdv(null, columns, [utf8, utf8, times, times], 6, null, 0, 10, 1e6)
  t.equal(rows, 6)
  t.same(Buffer.from(bytes).toString().split('\n'), [
    'a,b\t*\t1970-01-01T00:00:00.000\t1970-01-01T00:00:00.000',
    '"a\tb"\t*\t1969-12-31T23:59:59.999\t1969-12-31T23:59:59.999',
    '"//c"\t*\t1970-01-01T00:00:00.001\t1970-01-01T00:00:00.001',
    '\t*\t\t',
    '""""\t*\t1970-01-02T00:00:00.000\t1970-01-02T00:00:00.000',
    '\t*\t1970-01-01T00:00:00.000\t1970-01-01T00:00:00.000',
    '',
  ])
})

t.test('a number is put behind the first field of the rows that have one', async (t) => {
  const names = columnOf(core, utf8, ['a', 'a"', null, 'b'].map(text))
  const numbers = columnOf(core, uint32, [0, 12, 3, null].map(int))
  const types = [utf8, utf8]
  const all = core.encodeOdv(numbers, [names, names], types, 4, null, 0, 4, 1e6)
  t.equal(Buffer.from(all.bytes).toString(), 'a[+0]\ta\n"a""[+12]"\t"a"""\n[+3]\t\nb\tb\n')
  const mask = core.inRuns(4, [
    { from: 1, to: 2 },
    { from: 3, to: 4 },
  ])
  const some = core.encodeOdv(numbers, [names, names], types, 4, mask, 0, 4, 4)
  t.equal(Buffer.from(some.bytes).toString(), '"a""[+12]"\t"a"""\n')
  t.equal(some.next, 3)
  t.throws(() => core.encodeOdv(names, [names], [utf8], 4, null, 0, 4, 1e6), { code: 'internal' })
})
