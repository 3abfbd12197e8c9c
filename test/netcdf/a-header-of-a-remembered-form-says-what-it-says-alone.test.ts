import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { gridOfAll, withSharedParts } from '../../src/plan/source/array-layout.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import type { WholePlace } from '../../src/workers/formats/arrays/element-place.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import type { AlikeFiles } from '../../src/workers/formats/provider.ts'
import type { FileStore } from '../../src/workers/store/store.ts'
import { memorySource } from '../formats/source.ts'
import { fc, generator } from '../support/generate.ts'
import { type ArgoLike, argoLike } from './argo-like.ts'
import { classicSamples } from './classic.ts'
import { context } from './open.ts'

/** Files that equal another one wholly are found otherwise. */
const reader = { ...netcdf3, openedBefore: () => undefined }

/** A store whose bytes are in memory, as those of small files are. */
function held(bytes: Buffer): FileStore {
  const view = (from: number, length: number) => bytes.subarray(from, from + length)
  const store: FileStore = {
    ...memorySource(bytes, 'file.nc'),
    view,
    open: (key: string) => (key === '' ? store : null),
  }
  return store
}

/** What is told of a file without parsing its header. Null: it has to be parsed. `at`: where it lies in memory. */
function toldByForm(bytes: Buffer, dimensions: readonly string[] | null, at: number): AlikeFiles | null {
  const provider = createArrayProvider(reader, { dimensions })
  const memory = Buffer.concat([Buffer.alloc(at, 0xff), bytes, Buffer.alloc(9, 0xff)])
  const store = held(bytes)
  const whole = { memory, at, size: bytes.length, file: store.file, isCaching: false, store }
  return provider.alike?.(whole, context) ?? null
}

/** The same of a file that is opened. Null: it cannot be. */
function toldAlone(bytes: Buffer, dimensions: readonly string[] | null) {
  const store = held(bytes)
  try {
    const opened = createArrayProvider(reader, { dimensions }).open(store, context)
    const places = opened.wholePlaces?.(store, context) ?? []
    const others = opened.whole?.([], store, context, new Set(places.map(({ field }) => field)))
    const { schema } = opened
    return {
      schema,
      segments: opened.segments([], store, context, null),
      arrays: opened.layout?.(),
      places,
      others,
    }
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

/** A place without what its key says. */
function placeOf({ spec: _, ...place }: WholePlace): Omit<WholePlace, 'spec'> {
  return place
}

/** Compares what is told of a file. Returns whether its header was not parsed. */
function compare(bytes: Buffer, dimensions: readonly string[] | null = null): boolean {
  const byForm = toldByForm(bytes, dimensions, 24)
  if (byForm === null) return false
  const alone = toldAlone(bytes, dimensions)
  if (alone === null) throw new Error('told of a file that cannot be opened')
  const { segments, arrays } = alone
  if (segments.kind !== 'grid' || !arrays) throw new Error(`told of ${segments.kind}`)
  const same = (one: unknown, other: unknown): void => {
    if (isDeepStrictEqual(one, other)) return
    t.same(one, other)
    throw new Error('what is told differs')
  }
  same(byForm.schema, alone.schema)
  same(byForm.arrays, arrays)
  same(gridOfAll(byForm.arrays), withSharedParts(segments, arrays))
  same(byForm.places.map(placeOf), alone.places.map(placeOf))
  same(alone.others?.length, 0)
  return true
}

const TEXTS = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 200 }))

const FILES: fc.Arbitrary<ArgoLike> = fc.record({
  version: fc.constantFrom(1 as const, 2 as const, 5 as const),
  profiles: fc.integer({ min: 1, max: 3 }),
  levels: fc.integer({ min: 1, max: 40 }),
  steps: fc.nat({ max: 3 }),
  letters: fc.integer({ min: 1, max: 9 }),
  history: TEXTS,
  comment: TEXTS,
  hasSalinity: fc.boolean(),
  isWide: fc.boolean(),
})

t.test('files of one program', async (t) => {
  let byForm = 0
  fc.assert(
    fc.property(FILES, fc.constantFrom(null, ['N_PROF'], ['N_HISTORY', 'N_PROF']), (file, dimensions) => {
      const bytes = argoLike(file, generator('values'))
      if (compare(bytes, dimensions)) byForm++
      toldAlone(bytes, dimensions)
    }),
    { numRuns: 300 },
  )
  t.ok(byForm > 200, `${byForm} headers were not parsed`)
})

const SAMPLES = [
  ...classicSamples('argo')
    .filter(({ dimensions }) => dimensions === null)
    .map(({ location }) => readFileSync(location)),
  argoLike(
    {
      version: 5,
      profiles: 2,
      levels: 5,
      steps: 2,
      letters: 8,
      history: 'made',
      comment: '',
      hasSalinity: true,
      isWide: false,
    },
    generator('values'),
  ),
]

/** Numbers that a damaged or hostile header may have. */
const WORDS = [0, 1, 2, 3, 5, 255, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1]

t.test('headers that differ in any byte', async (t) => {
  let byForm = 0
  for (const bytes of SAMPLES) toldAlone(bytes, null)
  fc.assert(
    fc.property(
      fc.nat(SAMPLES.length - 1),
      fc.array(
        fc.record({
          at: fc.oneof(fc.nat(400), fc.nat(20_000)),
          word: fc.option(fc.constantFrom(...WORDS)),
          byte: fc.nat(255),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      fc.option(fc.integer({ min: -5000, max: 5000 })),
      (sample, edits, growth) => {
        const original = SAMPLES[sample] ?? Buffer.alloc(0)
        const size = Math.max(0, original.length + (growth ?? 0))
        const bytes = Buffer.concat([original, Buffer.alloc(Math.max(0, growth ?? 0))]).subarray(0, size)
        for (const { at, word, byte } of edits) {
          const from = at % Math.max(1, bytes.length - 4)
          if (word !== null && from + 4 <= bytes.length) bytes.writeUInt32BE(word, from - (from % 4))
          else if (from < bytes.length) bytes[from] = byte
        }
        if (compare(bytes)) byForm++
      },
    ),
    { numRuns: 1000 },
  )
  t.ok(byForm > 0, `${byForm} headers were not parsed`)
})

t.test('sizes, places and records of each variable, changed by a little', async (t) => {
  let byForm = 0
  for (const original of SAMPLES) {
    toldAlone(original, null)
    const step = original.length > 4096 ? 7 : 1
    for (let at = 4; at + 4 <= Math.min(original.length, 9000); at += 4 * step) {
      for (const change of [-4, -1, 1, 4]) {
        const bytes = Buffer.from(original)
        bytes.writeInt32BE((bytes.readInt32BE(at) + change) | 0, at)
        if (compare(bytes)) byForm++
      }
    }
  }
  t.ok(byForm > 0, `${byForm} headers were not parsed`)
})
