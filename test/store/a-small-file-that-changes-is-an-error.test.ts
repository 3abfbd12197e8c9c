import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readSmallFile } from '../../src/workers/store/read-small.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { fileRef } from '../formats/source.ts'

const folder = t.testdir()
const CONTENT = Buffer.from('some bytes')

/** A file with its planned version, and how it is read. */
function planned(name: string) {
  const location = join(folder, name)
  writeFileSync(location, CONTENT)
  const file = fileRef(location)
  const memory = new Uint8Array(20)
  return { location, memory, read: () => readSmallFile(file, memory, 5, createStopwatch()) }
}

t.test('the bytes of a file that has not changed', (t) => {
  const { memory, read } = planned('same')
  read()
  t.same(Buffer.from(memory), Buffer.concat([Buffer.alloc(5), CONTENT, Buffer.alloc(5)]))
  t.end()
})

const CHANGES: Readonly<Record<string, (location: string) => void>> = {
  'it is longer': (location) => writeFileSync(location, 'some more bytes'),
  'it is shorter': (location) => truncateSync(location, 3),
  'it is another file of the size': (location) => {
    writeFileSync(`${location}.new`, CONTENT)
    renameSync(`${location}.new`, location)
  },
  'it is gone': (location) => rmSync(location),
  'it is a folder': (location) => {
    rmSync(location)
    mkdirSync(location)
  },
  'it is a link to another file': (location) => {
    rmSync(location)
    writeFileSync(`${location}.other`, CONTENT)
    symlinkSync(`${location}.other`, location)
  },
}

for (const [name, change] of Object.entries(CHANGES))
  t.test(name, (t) => {
    const { location, read } = planned(name.replaceAll(' ', '-'))
    change(location)
    t.throws(read, { code: 'file_changed' })
    t.end()
  })
