import t, { type Test } from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { bitmap, type CArray, place, texts } from './c-array.ts'
import { SAMPLES } from './samples.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const i32: DataType = { kind: 'int', bits: 32, signed: true }
const utf8: DataType = { kind: 'utf8' }
const list: DataType = { kind: 'list', item: field('item', i32) }
const numbers: CArray = { format: 'i', length: 3, buffers: [null, Int32Array.of(1, 2, 3)] }

function refused(t: Test, array: CArray, type: DataType, message: RegExp): void {
  const placed = place(array)
  t.throws(() => core.importArray(placed.memory, placed.array, placed.schema, type), {
    code: 'unreadable_file',
    message,
  })
}

t.test('layouts that are not read are named', async (t) => {
  for (const [format, name] of [
    ['+ud:0,1', 'union'],
    ['+us:0,1', 'union'],
    ['+r', 'run-end encoded'],
    ['+vl', 'list view'],
    ['+vL', 'list view'],
    ['new:1', '"new:1"'],
    ['', '""'],
  ] as const) {
    refused(t, { format, length: 1, buffers: [] }, i32, new RegExp(name))
  }
})

t.test('what an array says of itself is checked', async (t) => {
  const text = (offsets: number[], bytes: string, length = 2): CArray => ({
    format: 'u',
    length,
    buffers: [null, Int32Array.from(offsets), Buffer.from(bytes)],
  })
  const far = 2 ** 24
  refused(t, { ...numbers, length: -1 }, i32, /length/)
  refused(t, { ...numbers, length: far }, i32, /past the end of the memory/)
  refused(t, { ...numbers, offset: far }, i32, /past the end of the memory/)
  refused(t, { ...numbers, length: 2 ** 40 }, i32, /length/)
  refused(t, { ...numbers, buffers: [] }, i32, /buffer is missing/)
  refused(t, { ...numbers, buffers: [null, null] }, i32, /buffer is missing/)
  refused(t, { ...numbers, nullCount: 1 }, i32, /nulls without/)
  refused(t, numbers, { kind: 'int', bits: 64, signed: true }, /where Int64 was to be/)
  refused(t, numbers, utf8, /where Utf8 was to be/)
  refused(t, text([0, 2, 1], 'ab'), utf8, /decreasing offset at 1/)
  refused(t, text([2, 1, 0], 'ab'), utf8, /decrease/)
  refused(t, text([-1, 0, 1], 'ab'), utf8, /decrease/)
  refused(t, text([0, 1, far], 'ab'), utf8, /past the end of the memory/)
  refused(
    t,
    { ...text([0, 1, 2], ''), buffers: [null, Int32Array.of(0, 1, 2), Uint8Array.of(0x61, 0xff)] },
    utf8,
    /UTF-8 at 1/,
  )
})

t.test('and so are its children and dictionaries', async (t) => {
  const offsets = Int32Array.of(0, 4)
  refused(
    t,
    { format: '+l', length: 1, buffers: [null, offsets], children: [numbers] },
    list,
    /shorter than its parent/,
  )
  refused(
    t,
    { format: '+l', length: 1, buffers: [null, offsets], children: [] },
    list,
    /not the fields of List<Int32>/,
  )
  const struct: DataType = { kind: 'struct', fields: [field('a', i32), field('b', i32)] }
  refused(t, { format: '+s', length: 3, buffers: [null], children: [numbers] }, struct, /not the fields/)
  refused(
    t,
    { format: '+s', length: 4, buffers: [null], children: [numbers, numbers] },
    struct,
    /shorter than its parent/,
  )
  const indices = (index: number): CArray => ({
    format: 'c',
    length: 1,
    buffers: [null, Int8Array.of(index)],
    dictionary: { format: 'u', length: 2, buffers: [null, ...texts(['a', 'b'])] },
  })
  refused(t, indices(2), utf8, /dictionary index out of range at 0/)
  refused(t, indices(-1), utf8, /dictionary index out of range at 0/)
  refused(t, { ...indices(0), format: 'f' }, utf8, /dictionary indices/)
  refused(t, { ...indices(0), dictionary: indices(0) }, utf8, /dictionary of a dictionary/)
  t.equal(core.usedBytes(), 0, 'nothing is left of a refused array')
})

t.test('an address outside of the memory is an error', async (t) => {
  const { memory, array, schema } = place(numbers)
  const end = memory.buffer.byteLength
  for (const [a, s] of [
    [end, schema],
    [array, end],
    [0xffff_fff0, schema],
    [array, 0xffff_fff0],
    [end - 8, schema],
  ] as const) {
    t.throws(() => core.importArray(memory, a, s, i32), { code: 'unreadable_file' })
  }
})

t.test('damage anywhere is an error or rows, never a trap', async (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SAMPLES),
      fc.array(fc.tuple(fc.nat(1500), fc.constantFrom(0, 1, 2, 7, 64, 127, 128, 255)), {
        minLength: 1,
        maxLength: 4,
      }),
      (sample, damage) => {
        const placed = place(sample.array)
        const bytes = new Uint8Array(placed.memory.buffer)
        for (const [position, value] of damage) bytes[64 + position] = value
        try {
          const column = core.importArray(placed.memory, placed.array, placed.schema, sample.type)
          try {
            core.encodeBatch([column], [sample.type], core.rows(column), null, 0, 100, 1 << 20)
          } finally {
            core.free(column)
          }
        } catch (error) {
          if (!isServiceError(error) || !['unreadable_file', 'memory_limit'].includes(error.code)) throw error
        }
        return !core.isDead() && core.usedBytes() === 0
      },
    ),
    { numRuns: 3000 },
  )
  t.pass()
})

t.test('a validity bitmap of a damaged length does not reach past the memory', async (t) => {
  const memory = place({ ...numbers, nullCount: -1, buffers: [bitmap([1, 0, 1]), Int32Array.of(1, 2, 3)] })
  const view = new DataView(memory.memory.buffer)
  const buffers = view.getUint32(memory.array + 40, true)
  view.setUint32(buffers, view.byteLength, true)
  t.throws(() => core.importArray(memory.memory, memory.array, memory.schema, i32), {
    code: 'unreadable_file',
  })
})
