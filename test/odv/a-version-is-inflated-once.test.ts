import { fstatSync, mkdirSync, readSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import { createTempFolder } from '../../src/main/output/temp/temp-folder.ts'
import { createInflatedFiles } from '../../src/main/query/source/inflated/inflated-files.ts'
import { type FileRef, isFileSettled } from '../../src/plan/source/file.ts'
import type { PlainBytes } from '../../src/plan/source/plain-bytes.ts'
import { versionOf } from '../../src/plan/source/version.ts'
import { startPool } from '../finish/pool.ts'
import { until } from '../support/until.ts'

const MIB = 1 << 20

/** Bytes that compress to a few. */
const plainBytes = (size: number, fill: string): Buffer => Buffer.alloc(size, `${fill}\n`)

function start(t: Test, totalBytes = 1 << 30) {
  const folder = t.testdir({})
  const temp = join(folder, 'temp')
  mkdirSync(temp)
  const { scheduler } = startPool(t, 2)
  const tempFolder = createTempFolder(temp, { outputBytes: totalBytes, totalBytes, reservedBytes: 0 })
  const inflated = createInflatedFiles(tempFolder)
  t.teardown(inflated.close)
  const asked: string[] = []
  return {
    scheduler,
    tempFolder,
    inflated,
    asked,
    /** Writes a file, and waits until no other write can give it the same version. */
    async write(name: string, stored: Uint8Array): Promise<FileRef> {
      const location = join(folder, name)
      writeFileSync(location, stored)
      const file = { path: name, location, version: versionOf(statSync(location, { bigint: true })) }
      await until('the file is settled', () => isFileSettled(file))
      return file
    },
    inflate: (file: FileRef, ticket: Ticket): Promise<PlainBytes> =>
      inflated.inflate(file, 'gzip', ticket, () => asked.push(file.path)),
  }
}

/** What is in the temporary file. */
function contentOf({ temp, size }: PlainBytes): Buffer {
  const bytes = Buffer.alloc(size)
  if (temp === null) throw new Error('it is in no file')
  readSync(temp.descriptor, bytes, 0, size, 0)
  return bytes
}

t.test('for all that wait for it, and for later ones', async (t) => {
  const { scheduler, tempFolder, inflated, asked, write, inflate } = start(t)
  const plain = plainBytes(9 * MIB, 'a')
  const file = await write('a.gz', gzipSync(plain))
  const [first, second, third] = [scheduler.admit(), scheduler.admit(), scheduler.admit()]
  const both = await Promise.all([inflate(file, first), inflate(file, second)])
  t.equal(both[0], both[1])
  t.ok(contentOf(both[0]).equals(plain))
  const tasks = asked.length
  t.ok(tasks > 1, 'it was inflated in slices')
  for (const ticket of [first, second]) ticket.release()
  t.equal(await inflate(file, third), both[0])
  t.equal(asked.length, tasks)
  t.equal(tempFolder.bytes, plain.length)
  third.release()
  t.match(inflated.figures(), { hits: 2, misses: 1, entries: 1, bytes: plain.length })
})

t.test('those who leave do not stop it for others, and the last one stops it', async (t) => {
  const { scheduler, tempFolder, inflated, write } = start(t)
  const file = await write('a.gz', gzipSync(plainBytes(9 * MIB, 'a')))
  const [first, second] = [scheduler.admit(), scheduler.admit()]
  // When the first slice is there, the query leaves that has asked first.
  const one = inflated.inflate(file, 'gzip', first, first.release)
  const other = inflated.inflate(file, 'gzip', second, () => {})
  await t.rejects(one, { code: 'cancelled' })
  t.equal((await other).size, 9 * MIB)
  second.release()
  const another = await write('b.gz', gzipSync(plainBytes(9 * MIB, 'b')))
  const last = scheduler.admit()
  await t.rejects(inflated.inflate(another, 'gzip', last, last.release), { code: 'cancelled' })
  await until('its space is free', () => tempFolder.bytes === 9 * MIB)
  t.match(inflated.figures(), { misses: 2, entries: 1, bytes: 9 * MIB })
})

t.test('the oldest that no query reads is given up for others', async (t) => {
  const { scheduler, tempFolder, inflated, write, inflate } = start(t, 10 * MIB)
  const files = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => write(name, gzipSync(plainBytes(3 * MIB, name)))),
  )
  const [a, b, c, d] = files as [FileRef, FileRef, FileRef, FileRef]
  const reader = scheduler.admit()
  await inflate(a, reader)
  for (const file of [b, c]) {
    const ticket = scheduler.admit()
    await inflate(file, ticket)
    ticket.release()
  }
  t.equal(inflated.figures().entries, 3)
  const ticket = scheduler.admit()
  t.ok(contentOf(await inflate(d, ticket)).equals(plainBytes(3 * MIB, 'd')))
  t.match(inflated.figures(), { evictions: 1, entries: 3 })
  const misses = inflated.figures().misses
  await inflate(c, ticket)
  await inflate(a, ticket)
  t.equal(inflated.figures().misses, misses, 'b was the oldest')
  // All that is there is read by now.
  await t.rejects(inflate(b, ticket), {
    code: 'memory_limit',
    message: /"b" is compressed.*other files of the query/,
  })
  const other = scheduler.admit()
  await t.rejects(inflate(b, other), { code: 'no_space', message: /"b" is compressed.*try again/ })
  for (const each of [reader, other]) each.release()
  const answer = await tempFolder.open()
  await t.rejects(answer.write(Buffer.alloc(2 * MIB)), { code: 'no_space' })
  ticket.release()
  await t.resolves(answer.write(Buffer.alloc(6 * MIB)), 'files of answers come first')
  await answer.discard()
  t.ok(tempFolder.bytes <= 6 * MIB)
})

t.test('one that is larger than all may be is refused, and so is a bomb', async (t) => {
  const { scheduler, tempFolder, inflated, write, inflate } = start(t, 5 * MIB)
  const ticket = scheduler.admit()
  const bomb = await write('bomb.gz', gzipSync(Buffer.alloc(40 * MIB)))
  await t.rejects(inflate(bomb, ticket), {
    code: 'memory_limit',
    message: /"bomb\.gz".*5242880.*SERVICE_MAX_TEMP_BYTES/,
  })
  await until('its space is free', () => tempFolder.bytes === 0)
  const exact = await write('exact.gz', gzipSync(plainBytes(5 * MIB, 'e')))
  t.equal((await inflate(exact, ticket)).size, 5 * MIB)
  ticket.release()
  t.equal(inflated.figures().entries, 1)
})

t.test('a version that may still be written is not kept', async (t) => {
  const { scheduler, tempFolder, inflated, write, inflate } = start(t)
  const file = await write('a.gz', gzipSync(plainBytes(3 * MIB, 'a')))
  const [first, second] = [scheduler.admit(), scheduler.admit()]
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  // As if the file had just been written.
  Date.now = () => 0
  const [one, other] = await Promise.all([inflate(file, first), inflate(file, second)])
  t.not(one, other, 'the other query does not get what was read before it has asked')
  t.ok(contentOf(one).equals(contentOf(other)))
  for (const ticket of [first, second]) ticket.release()
  await until('the space is free', () => tempFolder.bytes === 0)
  t.match(inflated.figures(), { misses: 2, entries: 0 })
})

t.test('a file that is damaged, cut or gone is an error of its own', async (t) => {
  const { scheduler, tempFolder, inflated, write, inflate } = start(t)
  const stored = gzipSync(plainBytes(9 * MIB, 'a'))
  const cut = await write('cut.gz', stored.subarray(0, stored.length - 9))
  const ticket = scheduler.admit()
  await t.rejects(inflate(cut, ticket), { code: 'unreadable_file', message: /"cut\.gz" cannot be inflated/ })
  const file = await write('a.gz', stored)
  writeFileSync(file.location, stored.subarray(1))
  await t.rejects(inflate(file, ticket), { code: 'file_changed', message: /"a\.gz" was changed/ })
  ticket.release()
  t.match(inflated.figures(), { entries: 0, bytes: 0 })
  await until('the space is free', () => tempFolder.bytes === 0)
})

t.test('a descriptor that is that of another file by now is not written to', async (t) => {
  const { scheduler, write } = start(t)
  const file = await write('a.gz', gzipSync(plainBytes(2 * MIB, 'a')))
  const ticket = scheduler.admit()
  const [descriptor, { dev, ino }] = [0, fstatSync(1, { bigint: true })]
  const task = { kind: 'inflate', key: 'x', file, compression: 'gzip', written: 0, maxBytes: 9 } as const
  const temp = { descriptor, device: dev, inode: ino + 1n }
  await t.rejects(ticket.run({ ...task, temp, cancel: ticket.cancel }))
  ticket.release()
})
