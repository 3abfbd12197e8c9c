import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SMALL_FILE_BYTES } from '../../src/plan/limits.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { fileRef } from '../formats/source.ts'

const stopwatch = createStopwatch()
/** Bytes of a file that is not small. */
const LARGE = SMALL_FILE_BYTES + 8

const changed = { code: 'file_changed', message: /"file"/ }

t.test('ranges are read whole, and counted', async (t) => {
  for (const size of [8, LARGE]) {
    const location = join(t.testdir({ file: 'abcdefgh'.padEnd(size) }), 'file')
    const watch = createStopwatch()
    using source = openFileStore(fileRef(location), watch)
    t.equal(source.size, size)
    t.equal(Buffer.from(source.read(2, 3)).toString(), 'cde')
    t.equal(source.read(size, 0).length, 0)
    const target = Buffer.alloc(2)
    source.readInto(5, target)
    t.equal(target.toString(), 'fg')
    t.equal(watch.metrics().bytesRead, size === LARGE ? 5 : 8, 'all of a small file is read, once')
    for (const [offset, length] of [
      [0, size + 1],
      [size + 1, 0],
      [size, 1],
    ] as const)
      t.throws(() => source.read(offset, length), { code: 'unreadable_file', message: /"file" is damaged/ })
    t.throws(() => source.read(-1, 1), RangeError)
    t.throws(() => source.read(0, Number.NaN), RangeError)
    source.verify()
  }
})

t.test('a file that was replaced, removed or is no file any more', async (t) => {
  const folder = t.testdir({ file: 'abc', other: 'abc' })
  const location = join(folder, 'file')
  const planned = fileRef(location)
  const throwsWhenRead = (message = 'is an error'): void => {
    using source = openFileStore(planned, stopwatch)
    t.throws(() => source.verify(), changed, message)
    t.throws(() => source.read(0, 1), changed, message)
  }
  renameSync(join(folder, 'other'), location)
  throwsWhenRead()
  rmSync(location)
  throwsWhenRead()
  execFileSync('mkfifo', [location])
  throwsWhenRead('and a pipe does not hold the worker')
})

t.test('a file that changes while it is open', async (t) => {
  const location = join(t.testdir({ file: 'abcdefgh' }), 'file')
  for (const change of [
    () => appendFileSync(location, 'i'),
    () => writeFileSync(location, 'ABCDEFGHI'),
    () => truncateSync(location, 2),
  ]) {
    using source = openFileStore(fileRef(location), stopwatch)
    source.read(0, 1)
    change()
    t.throws(() => source.verify(), changed)
  }
  writeFileSync(location, Buffer.alloc(LARGE))
  using source = openFileStore(fileRef(location), stopwatch)
  source.read(0, 1)
  truncateSync(location, 1)
  t.throws(() => source.read(0, 2), changed)
})

t.test('a file that is replaced or removed while it is open is read as it was', async (t) => {
  for (const change of [
    (location: string) => renameSync(`${location}.new`, location),
    (location: string) => rmSync(location),
  ]) {
    const location = join(t.testdir({ file: 'old'.padEnd(LARGE), 'file.new': 'new'.padEnd(LARGE) }), 'file')
    using source = openFileStore(fileRef(location), stopwatch)
    source.read(0, 1)
    change(location)
    t.equal(Buffer.from(source.read(0, 3)).toString(), 'old')
    source.verify()
  }
})

t.test('a file without a name that was written to is one that has changed', async (t) => {
  const location = join(t.testdir({ file: 'old'.padEnd(LARGE) }), 'file')
  using source = openFileStore(fileRef(location), stopwatch)
  source.read(0, 1)
  const writer = openSync(location, 'r+')
  t.teardown(() => closeSync(writer))
  rmSync(location)
  writeSync(writer, 'new')
  futimesSync(writer, 1, 1)
  t.throws(() => source.verify(), changed)
})
