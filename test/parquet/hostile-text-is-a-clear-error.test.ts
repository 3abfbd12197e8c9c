import t, { type Test } from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { Codec, Encoding } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, type Value } from '../formats/values.ts'
import { generator } from '../support/generate.ts'
import { dataPage, dictionaryPage, type TextPage, textFile } from './text-file.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

function read(rows: number, pages: readonly TextPage[]): Value[][] {
  const source = memorySource(textFile(Codec.uncompressed, rows, pages), 'hostile.parquet')
  return readAll(parquet.open(source, context), source, context)
}

/** Texts in PLAIN encoding, each after its length. */
function plain(...texts: readonly (string | Uint8Array)[]): Buffer {
  const parts = texts.map((text) => Buffer.from(text))
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(Uint32Array.of(part.length).buffer), part]))
}

const numbers = (width: number, ...runs: readonly number[]) => Uint8Array.of(width, ...runs)
const byNumber = (rows: number, body: Uint8Array) => dataPage(rows, Encoding.rleDictionary, body)
const inPlace = (rows: number, body: Uint8Array) => dataPage(rows, Encoding.plain, body)
const dictionary = dictionaryPage(2, plain('a', 'b'))
// Runs of the RLE/bit-packing hybrid: twice the length of the run, then the value that it repeats.
const both = byNumber(2, numbers(1, 2, 0, 2, 1))

const notText = Buffer.from([0xc3])
const endless = Buffer.from([0xff, 0xff, 0xff, 0xff, 65])

const HOSTILE: readonly (readonly [string, number, readonly TextPage[]])[] = [
  ['a number beyond the dictionary', 2, [dictionary, byNumber(2, numbers(2, 2, 0, 2, 2))]],
  ['a number of 32 bits', 1, [dictionary, byNumber(1, numbers(32, 2, 255, 255, 255, 255))]],
  ['numbers of 33 bits', 1, [dictionary, byNumber(1, numbers(33, 2, 0, 0, 0, 0, 0))]],
  ['too few numbers', 2, [dictionary, byNumber(2, numbers(1, 2, 0))]],
  ['no numbers', 2, [dictionary, byNumber(2, numbers(1))]],
  ['an empty page', 2, [dictionary, byNumber(2, new Uint8Array(0))]],
  ['numbers without a dictionary', 2, [both]],
  ['an empty dictionary', 2, [dictionaryPage(0, plain()), both]],
  ['a dictionary of fewer values than it claims', 2, [dictionaryPage(3, plain('a', 'b')), both]],
  ['a dictionary of 2^31 values', 2, [dictionaryPage(0x7fff_ffff, plain('a', 'b')), both]],
  ['a value longer than its dictionary', 2, [dictionaryPage(2, Buffer.concat([plain('a'), endless])), both]],
  ['a dictionary that is not UTF-8', 2, [dictionaryPage(2, plain('a', notText)), both]],
  ['characters across two values', 2, [dictionaryPage(2, plain(notText, Buffer.from([0xa9]))), both]],
  ['a text longer than its page', 2, [inPlace(2, Buffer.concat([plain('a'), endless]))]],
  ['a length cut short', 2, [inPlace(2, plain('a', 'b').subarray(0, 7))]],
  ['fewer texts than rows', 2, [inPlace(2, plain('a'))]],
  ['a plain page that is not UTF-8', 2, [inPlace(2, plain('a', notText))]],
  ['characters across two rows', 2, [inPlace(2, plain(notText, Buffer.from([0xa9])))]],
  ['a plain page after good numbers', 4, [dictionary, both, inPlace(2, plain('a'))]],
  [
    'bad numbers after a plain page',
    4,
    [dictionary, inPlace(2, plain('a', 'b')), byNumber(2, numbers(2, 4, 3))],
  ],
  ['text that is not UTF-8 after good numbers', 4, [dictionary, both, inPlace(2, plain('a', notText))]],
]

/** The end of every test: nothing is left in the core, and the next file can be read. */
function recovered(t: Test): void {
  t.equal(core.usedBytes(), 0)
  t.equal(core.isDead(), false)
  t.same(read(2, [dictionary, both]), [['a', 'b']])
}

for (const [name, rows, pages] of HOSTILE)
  t.test(name, async (t) => {
    t.throws(() => read(rows, pages), { code: 'unreadable_file', message: /hostile.parquet.*column "x"/ })
    recovered(t)
  })

t.test('bytes behind the last value of a dictionary are no value', async (t) => {
  t.same(read(2, [dictionaryPage(2, Buffer.concat([plain('a', 'b'), endless])), both]), [['a', 'b']])
})

t.test('any damage is an error that names the column, or rows', async (t) => {
  const random = generator('hostile text')
  const pages = [
    dictionaryPage(3, plain('argo', '', 'a text beyond twelve bytes')),
    byNumber(6, numbers(2, 4, 2, 3, 0b00_01_10_00, 0b0000_0001)),
    inPlace(3, plain('ctd', '', 'wörter')),
    byNumber(3, numbers(2, 6, 1)),
  ]
  for (let round = 0; round < 2000; round++) {
    const damaged = pages.map(({ header, body }) => ({ header, body: Uint8Array.from(body) }))
    for (let flips = 1 + random(3); flips > 0; flips--) {
      const body = damaged[random(damaged.length)]?.body ?? new Uint8Array(1)
      body[random(body.length)] = random(256)
    }
    try {
      t.equal(read(12, damaged)[0]?.length, 12)
    } catch (error) {
      t.match(error, { code: 'unreadable_file', message: /column "x"/ })
    }
  }
  recovered(t)
})
