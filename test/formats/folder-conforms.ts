import type { Test } from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import type { Objects } from './objects.ts'
import type { Value } from './values.ts'

export interface Folder {
  readonly name: string
  readonly objects: Objects
  readonly names: readonly string[]
  /** All rows of the folder, column by column. */
  readonly columns: readonly (readonly Value[])[]
  readonly random: (below: number) => number
  /** Opens changed objects under a path, and reads all rows. Null: there are too many of them. */
  read(objects: Objects, path: string): Rows | null
}

export interface Rows {
  readonly names: readonly string[]
  readonly columns: readonly (readonly Value[])[]
}

/**
 * Each object of a folder cut, with a flipped bit, missing, and replaced by another one. What lacks bytes is an error, unless nothing
 * reads it. A chunk that is another one changes one column at most, and leaves the number of rows.
 */
export function folderConforms(t: Test, { name, objects, names, columns, random, read }: Folder): void {
  const keys = [...objects.keys()]
  const texts = columns.map(textOf)

  const isAsBefore = (column: readonly Value[], at: number): boolean => textOf(column) === texts[at]

  /** The rows of the changed objects. Null: they are an error, which names the folder. */
  function rowsOf(key: string, damage: string, bytes: Uint8Array | null): Rows | null {
    // An array that is a store has the name of its folder.
    const path = `${damage}/${key}/${name}`
    try {
      return read(withObject(objects, key, bytes), path)
    } catch (error) {
      if (!isServiceError(error)) throw error
      const isClear = /^(unreadable_file|memory_limit)$/.test(error.code) && error.message.includes(path)
      if (!isClear) t.fail(`${path}: ${error.code}, ${error.message}`)
      return null
    }
  }

  function requireSame(rows: Rows | null, damage: string): void {
    if (rows === null) return
    const isSame = rows.names.join() === names.join() && rows.columns.every(isAsBefore)
    if (!isSame) t.fail(`${damage} gives other rows`)
  }

  function requireOneColumn(rows: Rows | null, damage: string): void {
    if (rows === null) return
    const others = names.filter((_, at) => !isAsBefore(rows.columns[at] ?? [], at))
    if (rows.names.join() !== names.join() || others.length > 1)
      t.fail(`${damage} changes ${rows.names.length === names.length ? others.join() : 'the columns'}`)
    if (rows.columns.some((each, at) => each.length !== columns[at]?.length))
      t.fail(`${damage} changes the number of rows`)
  }

  for (const [at, key] of keys.entries()) {
    const bytes = objects.get(key) ?? new Uint8Array()
    const isChunk = !isDocument(bytes)
    const left = [bytes.length - 1, random(bytes.length), 0][at % 3] ?? 0
    requireSame(rowsOf(key, 'cut', bytes.subarray(0, left)), `"${key}" cut to ${left} bytes`)
    const replacement = objects.get(keys[(at + 1 + random(keys.length - 1)) % keys.length] ?? '')
    const changed = {
      missing: rowsOf(key, 'missing', null),
      flipped: rowsOf(key, 'flipped', withFlippedBit(bytes, random)),
      replaced: rowsOf(key, 'replaced', replacement ?? null),
    }
    if (isChunk)
      for (const [damage, rows] of Object.entries(changed)) requireOneColumn(rows, `"${key}" ${damage}`)
  }
}

function withObject(objects: Objects, key: string, bytes: Uint8Array | null): Objects {
  const changed = new Map(objects)
  if (bytes === null) changed.delete(key)
  else changed.set(key, bytes)
  return changed
}

function withFlippedBit(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const at = random(copy.length)
  copy[at] = (copy[at] ?? 0) ^ (1 << random(8))
  return copy
}

/** Whether an object describes others. Those are JSON. */
function isDocument(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b
}

function textOf(column: readonly Value[]): string {
  return JSON.stringify(column, exact)
}

function exact(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
