import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { Attribute } from '../../src/workers/formats/arrays/array-file.ts'
import type { Hdf5Metadata } from '../../src/workers/formats/hdf5/hdf5-metadata.ts'
import { parseMetadata } from '../../src/workers/formats/hdf5/metadata/parse-metadata.ts'
import { memoryStore } from '../../src/workers/store/memory-store.ts'
import { onlyObject } from '../../src/workers/store/store.ts'
import { fileRef } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { fixture } from './describe.ts'

function bytesOf(name: string): Buffer {
  return name.startsWith('huge')
    ? gunzipSync(readFileSync(fixture(`${name}.h5.gz`)))
    : readFileSync(fixture(`${name}.h5`))
}

function parsed(bytes: Buffer): Hdf5Metadata {
  const [first = ''] = [fixture('groups.h5')]
  return parseMetadata(onlyObject(memoryStore(bytes, fileRef(first))), true, () => {})
}

/** A value as the script shows it: long ones as the digest of their little-endian bytes. */
function shown({ value }: Attribute): unknown {
  if (value.kind !== 'numbers') return 'value' in value ? value.value : value.values
  if (value.values.length <= 64)
    return value.values.length === 1 ? Number(value.values[0]) : value.values.map(Number)
  const numbers = value.values.map(Number)
  const bytes = value.element.kind === 'float' ? Float64Array.from(numbers) : Int8Array.from(numbers)
  return `sha256 ${hash('sha256', new Uint8Array(bytes.buffer))}`
}

// Objects outside of the blocks of a heap, attributes of several objects in another heap, and addresses that count from elsewhere.
for (const name of ['huge-few', 'huge-many', 'shared-attributes', 'base-earliest', 'base-latest'])
  t.test(name, (t) => {
    const expected: Record<string, Record<string, unknown>> = JSON.parse(
      readFileSync(fixture(`${name}.expected.json`), 'utf8'),
    )
    const { arrays } = parsed(bytesOf(name))
    const own = arrays.map((array) => [
      array.name,
      Object.fromEntries(array.attributes.map((each) => [each.name, shown(each)])),
    ])
    t.same(Object.fromEntries(own), expected)
    t.end()
  })

t.test('names that are not UTF-8 have a sign in place of what is none', (t) => {
  for (const library of ['earliest', 'latest']) {
    const { arrays } = parsed(bytesOf(`names-${library}`))
    t.same(arrays.map(({ name }) => name).toSorted(), ['caf\ufffd', 'plain'])
    const [attribute] = arrays.find(({ name }) => name.startsWith('caf'))?.attributes ?? []
    t.match(attribute, { name: '\ufffdt\ufffd', value: { values: [5] } })
  }
  t.end()
})

t.test('a damaged list of huge objects is an error that names the object and its place', (t) => {
  const random = generator('damages')
  const whole = bytesOf('huge-many')
  const at = whole.indexOf('BTHD')
  const places = [...whole.toString('latin1').matchAll(/BTHD|BTLF|FRHP|FHDB/g)].map(({ index }) => index)
  t.ok(at > 0 && places.length > 2)
  for (const place of places)
    for (let damage = 0; damage < 8; damage++) {
      const bytes = Buffer.from(whole)
      const changed = place + 4 + random(24)
      bytes[changed] = (bytes[changed] ?? 0) ^ (1 + random(255))
      t.throws(() => parsed(bytes), {
        code: 'unreadable_file',
        message: /^its object "\/v", whose header is at address \d+: /,
      })
    }
  t.end()
})
