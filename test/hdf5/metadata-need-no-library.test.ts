import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { parseMetadata } from '../../src/workers/formats/hdf5/metadata/parse-metadata.ts'
import { hasSignature } from '../../src/workers/formats/hdf5/signature.ts'
import type { ByteSource } from '../../src/workers/store/byte-source.ts'
import { memoryStore } from '../../src/workers/store/memory-store.ts'
import { onlyObject } from '../../src/workers/store/store.ts'
import { fileRef } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { metadataByLibrary } from './describe.ts'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

/** Damages of each small file, and how large that may be. */
const DAMAGES = 16
const SMALL_BYTES = 20_000

/** h5wasm gives names that are not UTF-8, and does not find what they name. */
const OF_OTHER_NAMES = /^names-/

const files = ['hdf5', 'hdf5-chunks', 'netcdf4', 'zarr-twins'].flatMap((folder) =>
  globSync('*.{h5,nc}', { cwd: join(FIXTURES, folder) }).map((name) => ({
    name,
    location: join(FIXTURES, folder, name),
  })),
)

function sourceOf(bytes: Buffer): ByteSource {
  return onlyObject(memoryStore(bytes, { ...fileRef(files[0]?.location ?? ''), path: 'in memory' }))
}

t.test('metadata are the same as those that the library tells, in their order', async (t) => {
  let same = 0
  for (const { name, location } of files) {
    const source = sourceOf(readFileSync(location))
    if (!hasSignature(source) || OF_OTHER_NAMES.test(name)) continue
    for (const areGroupsWanted of [true, false]) {
      const parsed = parseMetadata(source, areGroupsWanted, () => {})
      t.same(parsed, await metadataByLibrary(location, areGroupsWanted), name)
      same++
    }
  }
  t.ok(same > 200, `${same}`)
})

t.test('a file that is cut is refused', (t) => {
  for (const { location } of files) {
    const bytes = readFileSync(location)
    if (!hasSignature(sourceOf(bytes))) continue
    const cut = sourceOf(Buffer.from(bytes.subarray(0, bytes.length - 1)))
    if (hasSignature(cut))
      t.throws(() => parseMetadata(cut, true, () => {}), { code: 'unreadable_file' }, location)
  }
  t.end()
})

t.test('of a damaged file metadata are found, or it is refused with what is wrong', (t) => {
  const random = generator('damages')
  let refused = 0
  let parsed = 0
  for (const { location } of files) {
    const bytes = readFileSync(location)
    if (bytes.length > SMALL_BYTES || !hasSignature(sourceOf(bytes))) continue
    for (let damage = 0; damage < DAMAGES; damage++) {
      const damaged = Buffer.from(bytes)
      for (let each = 0; each < 1 + (damage % 3); each++) damaged[random(damaged.length)] = random(256)
      try {
        parseMetadata(sourceOf(damaged), true, () => {})
        parsed++
      } catch (error) {
        if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
        refused++
      }
    }
  }
  t.ok(refused > 100 && parsed > 100, `${refused} refused, ${parsed} parsed`)
  t.end()
})

t.test('parsing ends when the query is cancelled', (t) => {
  const location = join(FIXTURES, 'hdf5', 'groups.h5')
  const check = (): void => {
    throw new Error('cancelled here')
  }
  t.throws(() => parseMetadata(sourceOf(readFileSync(location)), true, check), { message: 'cancelled here' })
  t.end()
})
