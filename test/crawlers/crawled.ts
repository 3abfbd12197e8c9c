import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { sourceOf } from '../../src/main/catalog/sources/source-of.ts'
import { crawlFolder } from '../../src/main/crawlers/walk/crawl-folder.ts'
import type { CrawledGroup, CrawlReport, CrawlRequest } from '../../src/main/crawlers/walk/crawl-request.ts'
import { markersOf } from '../../src/main/datasets/find/find-stores.ts'
import { NO_FINGERPRINT } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { resolveLocation } from '../../src/main/datasets/resolve.ts'
import { resolveStores } from '../../src/main/datasets/resolve-stores.ts'
import { type DatasetRoot, openDatasetRoot } from '../../src/main/datasets/root.ts'
import { withDeclaredPartitions } from '../../src/main/query/source/partition-columns/declared-partitions.ts'
import { createOption } from '../../src/main/sql/grammar/families/options.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { FileRef } from '../../src/plan/source/file.ts'

export const never = new AbortController().signal

/** What is made in a folder: a file, or a link to a path relative to the root, or to one that is absolute. */
export type Entry =
  | { readonly kind: 'file'; readonly path: string | Buffer; readonly bytes?: number }
  | { readonly kind: 'folder'; readonly path: string | Buffer }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }

/** A folder with these entries, without those whose paths are taken. Gone when the test ends. */
export async function makeTree(t: Test, entries: readonly Entry[]): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'halocline-crawl-')))
  // Node's own cannot remove paths that are longer than a system call takes.
  t.teardown(() => execFileSync('rm', ['-rf', folder]))
  fillTree(folder, entries)
  return folder
}

export function fillTree(folder: string, entries: readonly Entry[]): void {
  for (const entry of entries)
    try {
      makeEntry(folder, entry)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENOENT'].includes(code)) throw error
    }
}

function makeEntry(folder: string, entry: Entry): void {
  const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(entry.path)])
  // Latin-1 keeps all bytes of a path.
  const above = Buffer.from(dirname(path.toString('latin1')), 'latin1')
  mkdirSync(above, { recursive: true })
  if (entry.kind === 'folder') mkdirSync(path, { recursive: true })
  else if (entry.kind === 'link')
    symlinkSync(entry.to.startsWith('/') ? entry.to : join(folder, entry.to), path)
  else {
    writeFileSync(path, 'x'.repeat(entry.bytes ?? 1), { flag: 'wx' })
    // A file that was written to a moment ago is waited for.
    utimesSync(path, 1, 1)
  }
}

export async function crawled(
  root: DatasetRoot | string,
  request: Partial<Omit<CrawlRequest, 'root' | 'hidden'>> = {},
): Promise<CrawlReport> {
  const datasets = typeof root === 'string' ? await openDatasetRoot(root) : root
  return crawlFolder(datasets, FORMATS, { prefix: '', formats: [], ...request }, () => undefined, never)
}

/** The files that a query of an external table over a group reads. */
export async function filesOf(root: DatasetRoot, group: CrawledGroup): Promise<readonly FileRef[]> {
  const source = sourceOf(
    {
      kind: 'create_external_table',
      name: { catalog: null, schema: null, name: 'crawled' },
      ifExists: 'replace',
      columns: null,
      format: group.format,
      partitions: group.partitions.map((name) => ({ name, type: null })),
      order: [],
      location: group.location,
      options: Object.entries(group.options).map(([key, value]) => createOption(key, value)),
    },
    FORMATS,
  )
  if (source.kind !== 'location') throw new TypeError('a crawler makes tables of files')
  const storage = FORMATS.storageOf(source.format)
  if (storage.kind === 'folder') {
    const markers = markersOf(storage, FORMATS.markers)
    return (await resolveStores(root, [source.location], markers, never, NO_FINGERPRINT)).files
  }
  const location = {
    path: source.location,
    extensions: source.extensions,
    keys: source.partitions.map(({ name }) => name),
  }
  const everything = (): boolean => true
  const found = await resolveLocation(root, location, everything, never, NO_FINGERPRINT, FORMATS.markers)
  return withDeclaredPartitions(found.files, source.partitions, 'crawled')
}

/** Where a path leads. Null: to no regular file. */
export function regularFile(path: string): { readonly location: string; readonly size: number } | null {
  try {
    const location = realpathSync(path)
    const stats = lstatSync(location)
    return stats.isFile() ? { location, size: stats.size } : null
  } catch {
    return null
  }
}
