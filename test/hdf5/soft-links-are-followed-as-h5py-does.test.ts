import { readFileSync } from 'node:fs'
import t from 'tap'
import { createLinkFollower } from '../../src/workers/formats/hdf5/metadata/object-reader.ts'
import { parseMetadata } from '../../src/workers/formats/hdf5/metadata/parse-metadata.ts'
import { memoryStore } from '../../src/workers/store/memory-store.ts'
import { onlyObject } from '../../src/workers/store/store.ts'
import { fileRef } from '../formats/source.ts'
import { fixture } from './describe.ts'

for (const form of ['symbol-table', 'messages', 'dense']) {
  t.test(`of a group of the form "${form}"`, (t) => {
    const location = fixture(`soft-links-${form}.h5`)
    const source = onlyObject(memoryStore(readFileSync(location), fileRef(location)))
    const expected: Record<string, number[]> = JSON.parse(
      readFileSync(fixture(`soft-links-${form}.expected.json`), 'utf8'),
    )
    const plain = parseMetadata(source, true, () => {})
    const own = new Map(
      plain.arrays.map(({ name, dimensions }) => [name, dimensions.map(({ size }) => size)]),
    )
    // A group that several paths lead to is read by the first of them, which is "group" rather than "inner".
    const shapes = [...own].map(([name, shape]) => [name.replace(/^group\//, 'inner/'), shape])
    t.same(Object.fromEntries(shapes), expected)
    t.end()
  })
}

t.test('paths in circles lead nowhere, and those of a file have only so many names', (t) => {
  const targets: Record<string, number | string> = {
    // The group that it is in.
    a: 1,
    circle: 'circle/circle',
    long: 'a/'.repeat(4000),
    'too long': 'a/'.repeat(5000),
  }
  const follow = createLinkFollower(1, (_, name) => targets[name] ?? null)
  t.equal(follow(1, 'circle'), null)
  t.equal(follow(1, 'too long'), null)
  t.equal(follow(1, 'long'), 1)
  try {
    for (let each = 0; each < 100; each++) follow(1, 'long')
    t.fail('it went on')
  } catch (error) {
    t.match(error, { code: 'unreadable_file', message: /names, which are not followed/ })
  }
  t.end()
})
