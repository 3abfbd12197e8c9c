import { readFileSync } from 'node:fs'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { fixture, samples } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { context, open, wholeOf } from './open.ts'
import { writeClassic } from './write-classic.ts'

/** Opens a file and reads all of it. Returns the bytes of its elements. */
function readAll(bytes: Uint8Array): number {
  const store = memorySource(bytes, 'damaged.nc')
  const file = open(store)
  let read = 0
  for (const array of file.arrays)
    for (const slab of file.slabs(store, array, wholeOf(array), context))
      if (slab.kind === 'elements') read += slab.bytes.length
  if (read > bytes.length) throw new Error(`${read} bytes of elements in a file of ${bytes.length}`)
  return read
}

/** Whether reading ends with values, or with an error that names the file. Throws if it ends with another one. */
function isRead(bytes: Uint8Array): boolean {
  try {
    readAll(bytes)
    return true
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file' && /^"damaged.nc"/.test(error.message))
      return false
    throw error
  }
}

const FILES = [...samples('netcdf'), ...samples('netcdf/argo')]
  .map(({ name, location }) => ({ name, bytes: readFileSync(location) }))
  .filter(({ bytes }) => bytes.length < 40_000)

t.test('any bits of a file may be wrong', async (t) => {
  for (const { name, bytes } of FILES) {
    const random = generator(name)
    // Most damage is done where the header is.
    const header = Math.min(bytes.length, 4000)
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(bytes)
      for (let flips = 1 + random(4); flips > 0; flips--) {
        const at = random(round % 4 === 0 ? bytes.length : header)
        damaged[at] = round % 3 === 0 ? (random(2) === 0 ? 0xff : 0) : (damaged[at] ?? 0) ^ (1 << random(8))
      }
      isRead(damaged)
    }
    t.ok(readAll(bytes) > 0 || name.startsWith('no-records'), `${name} itself is read`)
  }
})

t.test('a file may be cut at any byte', async (t) => {
  for (const { bytes } of FILES.filter((file) => file.bytes.length < 2000)) {
    const read = Array.from({ length: bytes.length }, (_, length) => isRead(bytes.subarray(0, length)))
    // Without the padding at its end it has all values.
    t.ok(read.lastIndexOf(false) >= bytes.length - 4)
    t.notOk(read.slice(0, -3).includes(true))
  }
})

const DEFINED = writeClassic({
  version: 1,
  records: 2,
  dimensions: [
    { name: 'dim_x', size: 3 },
    { name: 'dim_r', size: 0 },
    { name: 'dim_z', size: 2 },
  ],
  attributes: [{ name: 'att_t', type: 2, bytes: Buffer.from('text') }],
  variables: [
    {
      name: 'var_a',
      dimensions: [0, 2],
      type: 4,
      attributes: [{ name: 'att_n', type: 3, bytes: Buffer.alloc(2) }],
      bytes: Buffer.alloc(24),
    },
    { name: 'var_b', dimensions: [1, 0], type: 3, attributes: [], bytes: Buffer.alloc(12) },
    { name: 'var_c', dimensions: [1], type: 1, attributes: [], bytes: Buffer.alloc(2) },
  ],
})

/** The place `words` words behind a name of five letters, which are padded to two words. */
function behind(name: string, words = 0): number {
  return DEFINED.indexOf(name) + 8 + 4 * words
}

/** The file with another number at a place. */
function claiming(at: number, value: number): Buffer {
  const bytes = Buffer.from(DEFINED)
  bytes.writeUInt32BE(value, at)
  return bytes
}

function renamed(name: string, other: string): Buffer {
  const bytes = Buffer.from(DEFINED)
  bytes.write(other, bytes.indexOf(name), 'latin1')
  return bytes
}

const MOST = 0xffff_ffff
const RECORDS_AT = 4

for (const [what, bytes, message] of [
  [
    'a version that does not exist',
    Buffer.from([...DEFINED.subarray(0, 3), 3, ...DEFINED.subarray(4)]),
    /CDF and the version 1, 2 or 5/,
  ],
  ['more dimensions than there are bytes', claiming(12, MOST), /4294967295 dimensions/],
  ['a list with a wrong tag', claiming(8, 12), /the tag 12, and dimensions have 10/],
  ['a list that is absent and has items', claiming(8, 0), /the tag 0/],
  ['a name of no bytes', claiming(16, 0), /name at \d+ has 0 bytes/],
  ['a name of many bytes', claiming(16, MOST), /name at \d+ has 4294967295 bytes/],
  ['a name with NUL', renamed('dim_x', 'dim\0x'), /name at \d+ has control characters/],
  ['a name of ISO 8859-1 with NUL', renamed('dim_x', 'd\xe9\0_x'), /name at \d+ has control characters/],
  ['two dimensions of a name', renamed('dim_z', 'dim_x'), /two of the dimensions are named "dim_x"/],
  ['two variables of a name', renamed('var_b', 'var_a'), /two of the variables are named "var_a"/],
  ['two unlimited dimensions', claiming(behind('dim_x'), 0), /two of the dimensions are unlimited/],
  ['an attribute of many values', claiming(behind('att_t', 1), MOST), /attribute "att_t".*cut short/],
  [
    'an attribute of many numbers',
    claiming(behind('att_n', 1), MOST),
    /variable "var_a": attribute "att_n".*cut short/,
  ],
  ['a type that does not exist', claiming(behind('att_t'), 12), /type 12/],
  ['type 0', claiming(behind('att_t'), 0), /type 0/],
  ['a type of CDF-5', claiming(behind('att_t'), 10), /type 10, which CDF-1 does not have/],
  ['a rank that no array has', claiming(behind('var_a'), 1000), /variable "var_a".* 1000 dimensions/],
  ['a dimension that does not exist', claiming(behind('var_a', 1), 3), /variable "var_a".*dimension 3 of 3/],
  [
    'the unlimited dimension in the second place',
    claiming(behind('var_a', 2), 1),
    /"dim_r" is not its first/,
  ],
  ['a dimension of many indices', claiming(behind('dim_x'), MOST), /cut short|records of/],
  [
    'more records than there are bytes',
    claiming(RECORDS_AT, MOST - 1),
    /cut short: variable "var_b" ends at/,
  ],
  ['one record too many', claiming(RECORDS_AT, 3), /cut short: variable "var_b" ends at/],
  ['a variable in the header', claiming(behind('var_c', 6), 40), /variable "var_c" begins at 40/],
  ['a variable behind the end', claiming(behind('var_c', 6), MOST), /records of/],
  [
    'variables that share bytes',
    claiming(behind('var_c', 6), DEFINED.readUInt32BE(behind('var_b', 7)) + 2),
    /variable "var_c" begins at/,
  ],
] as const)
  t.test(what, async (t) => {
    t.throws(() => readAll(bytes), { code: 'unreadable_file', message })
    t.throws(() => readAll(bytes), { message: /^"damaged.nc" cannot be read as NetCDF: / })
    t.doesNotThrow(() => readAll(DEFINED))
  })

t.test('sizes whose product is beyond all numbers', async (t) => {
  const shape = Array.from({ length: 30 }, (_, index) => index)
  const small = writeClassic({
    version: 5,
    records: 0,
    dimensions: shape.map((index) => ({ name: `dim${index}`, size: 1 })),
    attributes: [],
    variables: [{ name: 'v', dimensions: shape, type: 10, attributes: [], bytes: Buffer.alloc(8) }],
  })
  const claim = (size: bigint): Buffer => {
    const bytes = Buffer.from(small)
    for (const index of shape)
      bytes.writeBigUInt64BE(size, bytes.indexOf(`dim${index}\0`) + (index < 10 ? 4 : 8))
    return bytes
  }
  t.ok(readAll(small) === 8)
  t.throws(() => readAll(claim(2n ** 40n)), { code: 'unreadable_file', message: /variable "v" has .* bytes/ })
  for (const size of [2n ** 53n, 2n ** 63n, 2n ** 64n - 1n])
    t.throws(() => readAll(claim(size)), { code: 'unreadable_file', message: /more than any file has/ })
})

t.test('a header without end', async (t) => {
  const text = Buffer.alloc(40 << 20, 'x')
  const attributes = [{ name: 'text', type: 2, bytes: text }]
  const bytes = writeClassic({ version: 5, records: 0, dimensions: [], attributes, variables: [] })
  t.throws(() => readAll(bytes), { code: 'memory_limit', message: /^"damaged.nc".*header/ })
})

t.test('a file is told by its first bytes', async (t) => {
  const { netcdf3 } = await import('../../src/workers/formats/netcdf3/netcdf3.ts')
  const sniff = (bytes: Uint8Array): boolean => netcdf3.sniff(memorySource(bytes))
  for (const version of [1, 2, 5]) t.equal(sniff(Buffer.from([...Buffer.from('CDF'), version])), true)
  for (const bytes of ['', 'CDF', 'CDF\x03', 'CDF\x04', 'cdf\x01', '\x89HDF'])
    t.equal(sniff(Buffer.from(bytes, 'latin1')), false)
  t.equal(sniff(readFileSync(fixture('netcdf4', 'grid-nc4'))), false)
})
