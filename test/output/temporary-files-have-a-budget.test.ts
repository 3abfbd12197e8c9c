import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createFreeSpace, type FreeSpace } from '../../src/main/output/temp/free-space.ts'
import type { TempFile } from '../../src/main/output/temp/temp-file.ts'
import { createTempFolder, type TempLimits } from '../../src/main/output/temp/temp-folder.ts'
import { fc } from '../support/generate.ts'

const UNLIMITED: FreeSpace = { writing: (_bytes, write) => write() }

function folderOf(t: Test, limits: Partial<TempLimits>, freeSpace = UNLIMITED) {
  const all = { outputBytes: 100, totalBytes: 250, reservedBytes: 0, ...limits }
  return createTempFolder(t.testdir({}), all, freeSpace)
}

const bytes = (length: number): Uint8Array => new Uint8Array(length)

/** Takes all of a file. */
async function drain(file: TempFile): Promise<number> {
  const chunks = file.read()
  let length = 0
  for (;;) {
    const chunk = await chunks.next()
    if (chunk === null) return length
    length += chunk.length
  }
}

t.test('one file has no more bytes than one answer may have', async (t) => {
  const folder = folderOf(t, {})
  const file = await folder.open()
  await file.write(bytes(100))
  await t.rejects(file.write(bytes(1)), {
    code: 'output_too_large',
    message: /more than 100 bytes.*SERVICE_MAX_OUTPUT_BYTES.*stream/,
  })
  t.equal(file.size, 100)
  t.equal(await drain(file), 100, 'what is there can be read')
})

t.test('a file that is larger than all files may be together is too large', async (t) => {
  const file = await folderOf(t, { outputBytes: 1000 }).open()
  await t.rejects(file.write(bytes(251)), { code: 'output_too_large', message: /SERVICE_MAX_TEMP_BYTES/ })
  await file.discard()
})

t.test('all files together have no more than they may', async (t) => {
  const folder = folderOf(t, {})
  const [a, b, c] = [await folder.open(), await folder.open(), await folder.open()]
  await a.write(bytes(100))
  await b.write(bytes(100))
  await c.write(bytes(50))
  await t.rejects(c.write(bytes(1)), {
    code: 'no_space',
    message: /250 bytes.*SERVICE_MAX_TEMP_BYTES/,
  })
  await a.discard()
  await t.resolves(c.write(bytes(50)), 'what one has given back, another one takes')
  await Promise.all([b.discard(), c.discard()])
  t.equal(folder.bytes, 0)
})

t.test('the bytes of a file are freed once, whichever way it ends', async (t) => {
  const folder = folderOf(t, {})
  const ends: Record<string, (file: TempFile) => unknown> = {
    'it is read to its end': drain,
    'it is closed before': (file) => file.read().close(),
    'it is closed twice': (file) => {
      const chunks = file.read()
      chunks.close()
      chunks.close()
    },
    'it is closed while it is read': (file) => {
      const chunks = file.read()
      const chunk = chunks.next()
      chunks.close()
      return chunk
    },
    'it is discarded': (file) => file.discard(),
    'it is read to its end, closed and discarded': async (file) => {
      await drain(file)
      file.read().close()
      await file.discard()
    },
    'a write is refused': async (file) => {
      await t.rejects(file.write(bytes(100)))
      await file.discard()
    },
  }
  for (const [how, end] of Object.entries(ends)) {
    const file = await folder.open()
    await file.write(bytes(60))
    t.equal(folder.bytes, 60)
    await end(file)
    await file.closed
    t.equal(folder.bytes, 0, how)
  }
})

t.test('any sequence of writes and ends counts what is there', async (t) => {
  const path = t.testdir({})
  const step = fc.record({
    file: fc.nat(5),
    bytes: fc.nat(40),
    does: fc.constantFrom('write', 'drain', 'close'),
  })
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const limits = { outputBytes: 100, totalBytes: 250, reservedBytes: 0 }
    const folder = createTempFolder(path, limits, UNLIMITED)
    const open = new Map<number, { file: TempFile; size: number }>()
    const total = (): number => [...open.values()].reduce((sum, { size }) => sum + size, 0)
    for (const { file: name, bytes: length, does } of steps) {
      const entry = open.get(name) ?? { file: await folder.open(), size: 0 }
      open.set(name, entry)
      if (does === 'write') {
        const code = await entry.file.write(bytes(length)).then(
          () => 'ok',
          (error) => error.code,
        )
        const isTooLarge = entry.size + length > 100
        const isOver = total() + length > 250
        if (code !== (isTooLarge ? 'output_too_large' : isOver ? 'no_space' : 'ok')) return false
        if (code === 'ok') entry.size += length
      } else {
        if (does === 'drain' && (await drain(entry.file)) !== entry.size) return false
        await entry.file.discard()
        open.delete(name)
      }
      if (folder.bytes !== total()) return false
    }
    await Promise.all([...open.values()].map(({ file }) => file.discard()))
    return folder.bytes === 0
  })
  await fc.assert(property, { numRuns: 100 })
  t.strictSame(readdirSync(path), [], 'no file has a name')
})

t.test('writes of several files at once do not go past what all may have', async (t) => {
  const folder = folderOf(t, { outputBytes: 250 })
  const files = await Promise.all(Array.from({ length: 8 }, () => folder.open()))
  const outcomes = await Promise.allSettled(files.map((file) => file.write(bytes(100))))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
  t.equal(folder.bytes, 200)
  await Promise.all(files.map((file) => file.discard()))
  t.equal(folder.bytes, 0)
})

t.test('files leave space free on their volume', async (t) => {
  let free = 1000
  let asked = 0
  let now = 0
  const ask = async (): Promise<number> => {
    asked++
    return free
  }
  const space = createFreeSpace(400, ask, () => now)
  const written: number[] = []
  const write = (length: number): Promise<void> =>
    space.writing(length, async () => {
      written.push(length)
      free -= length
    })
  await write(300)
  await write(200)
  t.equal(asked, 1, 'a figure holds for a second, less what was written')
  await t.rejects(write(101), { code: 'disk_full', message: /400 bytes.*SERVICE_MIN_FREE_BYTES/ })
  t.equal(asked, 2, 'and is asked again before a write is refused')
  free = 600
  await write(101)
  t.strictSame(written, [300, 200, 101])
  t.equal(asked, 3)
  now = 1000
  free = 400
  await t.rejects(write(1), { code: 'disk_full' }, 'others write there, too')
})

t.test('concurrent writes do not take the same space', async (t) => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const space = createFreeSpace(
    0,
    () => promise,
    () => 0,
  )
  const outcomes = Array.from({ length: 5 }, () => space.writing(100, async () => {}))
  resolve(250)
  const settled = await Promise.allSettled(outcomes)
  t.equal(settled.filter(({ status }) => status === 'fulfilled').length, 2)
})

t.test('a write under way may be missing in a measurement of the volume', async (t) => {
  const { promise: stored, resolve } = Promise.withResolvers<void>()
  const space = createFreeSpace(
    0,
    async () => 250,
    () => 0,
  )
  const first = space.writing(200, () => stored)
  await t.rejects(
    space.writing(100, async () => {}),
    { code: 'disk_full' },
  )
  resolve()
  await first
})
