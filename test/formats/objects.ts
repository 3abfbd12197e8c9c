import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { markedFolder } from '../../src/plan/source/object.ts'
import type { ByteSource } from '../../src/workers/store/byte-source.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { memorySource } from './source.ts'

/** The bytes of a dataset by the keys of its objects. One that is a file has one, under the key ''. */
export type Objects = ReadonlyMap<string, Uint8Array>

/** Those of a file or a folder. */
export function readObjects(location: string): Objects {
  if (!statSync(location).isDirectory()) return new Map([['', readFileSync(location)]])
  const entries = readdirSync(location, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.sort().map((file) => [relative(location, file), readFileSync(file)]))
}

/**
 * A store of objects that lie in memory and never change. `close`: nothing is read through it from then on. `group`: the key of
 * the group that is read; absent: all of the store.
 */
export function memoryObjects(objects: Objects, path = 'memory', group?: string): Store & { close(): void } {
  const only = objects.get('')
  if (only !== undefined) return memorySource(only, path)
  const sources = new Map<string, ReturnType<typeof memorySource>>()
  const size = [...objects.values()].reduce((sum, { length }) => sum + length, 0)
  const version = { device: 0n, inode: 0n, size: BigInt(size), mtimeNs: 0n, ctimeNs: 0n }
  let isClosed = false
  return {
    file: {
      path: group === undefined ? path : `${path}/${group}`,
      location: path,
      version,
      ...(group !== undefined && { folder: markedFolder(path, '', version, group) }),
    },
    open(key): ByteSource | null {
      if (isClosed) throw new Error('opened after close')
      const bytes = objects.get(key)
      if (bytes === undefined) return null
      const source = sources.get(key) ?? memorySource(bytes, `${path}/${key}`)
      sources.set(key, source)
      return source
    },
    close() {
      isClosed = true
      for (const source of sources.values()) source.close()
    },
    foldersIn: (folder) => foldersIn(objects, folder),
    isStill: () => false,
    objects: () => [],
    verify() {},
    [Symbol.dispose]() {},
  }
}

function foldersIn(objects: Objects, folder: string): string[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const below = [...objects.keys()].filter((key) => key.startsWith(prefix))
  const names = below.map((key) => key.slice(prefix.length).split('/')).filter(({ length }) => length > 1)
  return [...new Set(names.map(([name = '']) => name))].sort()
}

/** The same objects, one of which was changed. */
export function withChanged(
  objects: Objects,
  random: (below: number) => number,
  change: (bytes: Uint8Array) => Uint8Array,
): Objects {
  const keys = [...objects.keys()]
  const key = keys[random(keys.length)] ?? ''
  return new Map([...objects, [key, change(objects.get(key) ?? new Uint8Array())]])
}
