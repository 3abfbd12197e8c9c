import t from 'tap'
import {
  type FileRows,
  identityOf,
  packFiles,
  shareIdentity,
} from '../../src/main/datasets/fingerprint/file-rows.ts'
import { createFingerprint, type Fingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { collectGarbage } from '../../src/plan/collect-garbage.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { runToEnd } from '../../src/plan/steps.ts'

const LARGE = (1n << 63n) + 5n

function file(path: string, location = `/root/${path}`, ctimeNs = 7n): FileRef {
  return { path, location, version: { device: 3n, inode: LARGE, size: 10n, mtimeNs: 7n, ctimeNs } }
}

const FILES: readonly FileRef[] = [
  file('a/1.nc'),
  file('a/2.nc'),
  file('a/ä ☃ 😀.nc'),
  file('b/2.nc', undefined, -8n),
  file('a/3.nc'),
  file('a/link.nc', '/root/c/1.nc'),
  file('1.nc'),
]

function rowsOf(files: readonly FileRef[]): FileRows {
  const rows = runToEnd(packFiles(files))
  if (rows === null) throw new TypeError('no rows')
  return rows
}

t.test('rows are the same list of files as long as somebody has it', async (t) => {
  const files = [...FILES]
  const rows = rowsOf(files)
  t.equal(await rows.files(), files)
  t.equal(identityOf(files), rows)
  t.equal(rows.count, files.length)
})

t.test('rows give back equal files once nobody has them', async (t) => {
  const rows = rowsOf([...FILES])
  const again = await afterCollection(rows)
  t.strictSame(again, FILES)
  t.equal(identityOf(again), rows, 'what is kept of the list is found by it')
  t.equal(await rows.files(), again)
})

t.test('files with more than a path and a version are no rows', async (t) => {
  for (const more of [{ constants: {} }, { plain: { location: '/tmp/1', size: 4 } }])
    t.equal(runToEnd(packFiles([...FILES, { ...file('x'), ...more } as FileRef])), null)
})

t.test('a list may have the identity of another one', async (t) => {
  const rows = rowsOf([...FILES])
  const others = FILES.map((each) => ({ ...each, constants: {} }))
  t.equal(identityOf(others), others)
  shareIdentity(others, rows)
  t.equal(identityOf(others), rows)
})

t.test('a fingerprint notices another version of a file of its lists', async (t) => {
  const changed = rowsOf([file('a/0.nc'), file('a/2.nc', undefined, 9n)])
  const isConflict = (...parts: readonly Partial<Fingerprint>[]): boolean => {
    const fingerprint = createFingerprint()
    for (const part of parts)
      fingerprint.include({
        realpaths: new Map(),
        versions: new Map(),
        lists: [],
        isVerifiable: true,
        ...part,
      })
    t.equal(fingerprint.isVerifiable, !fingerprint.hasConflict)
    return fingerprint.hasConflict
  }
  const list = { lists: [rowsOf([...FILES])] }
  const single = (each: FileRef) => ({ versions: new Map([[each.location, each.version]]) })
  t.notOk(isConflict(list, list))
  t.notOk(isConflict(list, { lists: [rowsOf([...FILES])] }))
  t.notOk(isConflict(list, { lists: [rowsOf([file('d/1.nc')])] }))
  t.notOk(isConflict(list, single(file('a/1.nc'))))
  t.notOk(isConflict(single(file('a/1.nc')), list))
  t.ok(isConflict(list, { lists: [changed] }))
  t.ok(isConflict(list, single(file('a/1.nc', undefined, 9n))))
  t.ok(isConflict(single(file('a/1.nc', undefined, 9n)), list))
  t.ok(isConflict(list, single(file('x', '/root/c/1.nc', 9n))), 'by where a link leads')
})

t.test('a fingerprint has no more files than it may, in lists or not', async (t) => {
  const fingerprint = createFingerprint(FILES.length)
  const empty = { realpaths: new Map(), versions: new Map(), isVerifiable: true }
  fingerprint.include({ ...empty, lists: [rowsOf([...FILES])] })
  t.ok(fingerprint.isVerifiable)
  fingerprint.include({ ...empty, lists: [rowsOf([file('d/1.nc')])] })
  t.notOk(fingerprint.isVerifiable)
})

/** The files of rows whose list nobody has: collected garbage takes them away. */
async function afterCollection(rows: FileRows): Promise<readonly FileRef[]> {
  collectGarbage()
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return rows.files()
}
